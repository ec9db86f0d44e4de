import { describe } from "vitest";

import { deleteThreadContract } from "./delete-thread.js";
import { deltaHistoryContract } from "./delta-history.js";
import { failureContract } from "./failure.js";
import { getTupleContract } from "./get-tuple.js";
import { identityContract } from "./identity.js";
import { listContract } from "./list.js";
import { listFilterContract } from "./list-filter.js";
import { messagesContract } from "./messages.js";
import { metadataContract } from "./metadata.js";
import { putContract } from "./put.js";
import { putChannelsContract } from "./put-channels.js";
import { putWritesContract } from "./put-writes.js";
import { serdeContract } from "./serde.js";
import { sharingContract } from "./sharing.js";
import { sizesContract } from "./sizes.js";
import { useSavers, type ContractSubject } from "./support.js";
import { valuesContract } from "./values.js";

export type { ContractSubject } from "./support.js";

/** Every rule of the checkpointer contract that the public surface of a saver can show, one test each. */
export function contractSuite(subject: ContractSubject): void {
  describe(`contract: ${subject.name}`, () => {
    const savers = useSavers(subject);
    identityContract(savers);
    putContract(savers, subject);
    putChannelsContract(savers);
    putWritesContract(savers);
    getTupleContract(savers, subject);
    listContract(savers);
    listFilterContract(savers);
    deleteThreadContract(savers, subject);
    deltaHistoryContract(savers);
    metadataContract(savers);
    valuesContract(savers);
    messagesContract(savers);
    sizesContract(savers);
    sharingContract(savers);
    failureContract(savers, subject);
    serdeContract(savers, subject);
  });
}
