import { invalid } from "../saver/config.js";
import type { StoreSaver } from "../saver/store-saver.js";

/** A saver of this pack, whichever copy of it: leases are kept in its store. */
export function givenStoreSaver(method: string, saver: StoreSaver): StoreSaver {
  if (typeof saver?.store?.setRegister === "function") return saver;
  throw invalid(method, "the saver must be one of this pack");
}
