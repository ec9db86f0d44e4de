import { SnapshotSaver } from "../savers/architectures.js";
import type { MapSaver } from "../savers/map-saver.js";
import { SaverFailure } from "../savers/saver-ground.js";
import type { Place, Stored } from "../savers/storage.js";
import { defect, type Defect } from "./defect.js";
import { kept, losing } from "./values.js";

const cut = (test: (value: unknown) => boolean) => losing((value) => (test(value) ? undefined : kept));

/** A saver that takes whatever stands in the place of an id, in one of its methods. */
function trusting(method: "put" | "putWrites" | "getTuple" | "list" | "deleteThread") {
  return class extends SnapshotSaver {
    private trusts = false;
    protected override checkId(name: string, id: unknown): string {
      return this.trusts ? String(id) : super.checkId(name, id);
    }
    private trusting<T>(called: typeof method, call: () => T): T {
      this.trusts = called === method;
      try {
        return call();
      } finally {
        this.trusts = false;
      }
    }
    override put(...args: Parameters<MapSaver["put"]>) {
      return this.trusting("put", () => super.put(...args));
    }
    override putWrites(...args: Parameters<MapSaver["putWrites"]>) {
      return this.trusting("putWrites", () => super.putWrites(...args));
    }
    override getTuple(...args: Parameters<MapSaver["getTuple"]>) {
      return this.trusting("getTuple", () => super.getTuple(...args));
    }
    override async *list(...[config, options]: Parameters<MapSaver["list"]>) {
      const listing = super.list(config, options);
      const first = await this.trusting("list", () => listing.next());
      if (!first.done) yield first.value;
      yield* listing;
    }
    override deleteThread(...args: Parameters<MapSaver["deleteThread"]>) {
      return this.trusting("deleteThread", () => super.deleteThread(...args));
    }
  };
}

export const refusalDefects: Defect[] = [
  ...(
    [
      ["put", "put", "An object as a thread id becomes `[object Object]`."],
      ["put-writes", "putWrites", "The checks were written for put."],
      ["get-tuple", "getTuple", "A read cannot hurt; but an operator in the id reads another thread."],
      ["list", "list", "Conditions are built from whatever is there."],
      ["delete-thread", "deleteThread", "It has no config, so the check of configs is not called."],
    ] as const
  ).map(([scenario, method, story]) =>
    defect(`refusals.${scenario}`, `takes anything for an id in ${method}`, story, trusting(method)),
  ),
  defect(
    "unstorable.function",
    "drops functions",
    "As JSON does.",
    losing((value, depth) => (typeof value === "function" && depth > 0 ? undefined : kept)),
  ),
  defect(
    "unstorable.function-as-value",
    "stores a function as nothing",
    "JSON.stringify(function) is undefined.",
    losing((value, depth) => (typeof value === "function" && depth === 0 ? undefined : kept)),
  ),
  defect(
    "unstorable.symbol",
    "drops symbols",
    "As JSON does.",
    cut((value) => typeof value === "symbol"),
  ),
  defect(
    "unstorable.function-in-a-map",
    "drops what it cannot store inside collections",
    "The walk that refuses functions does not look into a Map.",
    losing((value) =>
      value instanceof Map ? new Map([...value].filter(([, each]) => typeof each !== "function")) : kept,
    ),
  ),
  defect(
    "unstorable.cycle",
    "cuts cycles off",
    "As LangGraph's own serializer does: the value comes back without its end.",
    class extends SnapshotSaver {
      protected override dump(value: unknown, name: string): Stored {
        try {
          return super.dump(value, name);
        } catch (error) {
          if (String(error).includes("cycle")) return super.dump("[Circular]", name);
          throw error;
        }
      }
    },
  ),
  defect(
    "unstorable.method",
    "does not say where the bad value is",
    "The serializer's own message: `could not be cloned`.",
    class extends SnapshotSaver {
      protected override dump(value: unknown, name: string): Stored {
        try {
          return super.dump(value, name);
        } catch {
          throw new SaverFailure("UNSTORABLE", "something could not be cloned");
        }
      }
      protected override async serialise(name: string, value: unknown): Promise<Stored> {
        return this.custom ? super.serialise(name, value) : this.dump(value, name);
      }
    },
  ),
  defect(
    "safety.constructor-records",
    "follows constructor records",
    "The loader builds whatever class a record names.",
    class extends SnapshotSaver {
      protected override async deserialise(record: Place, stored: Stored): Promise<unknown> {
        return revive(await super.deserialise(record, stored), 2, () => ({ built: true }));
      }
    },
  ),
  defect(
    "safety.langchain-records",
    "hands records in LangChain's shape to its loader",
    "It refuses what it does not know, and the thread cannot be read again.",
    class extends SnapshotSaver {
      protected override async deserialise(record: Place, stored: Stored): Promise<unknown> {
        return revive(await super.deserialise(record, stored), 1, (type) => {
          if (type === "constructor") throw new Error("Invalid namespace");
          return undefined;
        });
      }
    },
  ),
  defect(
    "safety.secrets",
    "fills secrets in from the environment",
    "LangChain's `load` does so when it is given the environment.",
    class extends SnapshotSaver {
      protected override async deserialise(record: Place, stored: Stored): Promise<unknown> {
        return revive(await super.deserialise(record, stored), 1, (type) =>
          type === "secret" ? process.env["PATH"] : undefined,
        );
      }
    },
  ),
  defect(
    "errors.code-is-stable",
    "throws errors without a code",
    "`throw new Error(…)` everywhere.",
    class extends SnapshotSaver {
      protected override checkId(name: string, id: unknown): string {
        if (typeof id !== "string") throw new Error(`${name} must be a string`);
        return id;
      }
    },
  ),
  defect(
    "errors.says-where",
    "lets a driver's error through",
    "Whatever went wrong with the parameter, it does not say which.",
    class extends SnapshotSaver {
      protected override checkId(_name: string, id: unknown): string {
        if (typeof id !== "string") throw new SaverFailure("EINVAL", "could not bind parameter 1");
        return id;
      }
    },
  ),
  defect(
    "errors.rejects-not-throws",
    "throws before it returns a promise",
    "put checks its arguments and then calls an async function.",
    class extends SnapshotSaver {
      override put(...args: Parameters<MapSaver["put"]>) {
        this.placeToWrite(args[0]);
        return super.put(...args);
      }
    },
  ),
  defect(
    "errors.no-values-in-errors",
    "shows the value in the message",
    "It helps in debugging.",
    class extends SnapshotSaver {
      protected override dump(value: unknown, name: string): Stored {
        try {
          return super.dump(value, name);
        } catch (error) {
          throw new SaverFailure("UNSTORABLE", `cannot store ${JSON.stringify(value)}: ${String(error)}`);
        }
      }
    },
  ),
  defect(
    "errors.refused-put-changes-nothing",
    "makes room before it knows what to store",
    "DELETE, then INSERT, without a transaction; and the INSERT fails.",
    class extends SnapshotSaver {
      override async put(...args: Parameters<MapSaver["put"]>) {
        const { thread, namespace } = this.placeToWrite(args[0]);
        this.storage.checkpoints.delete(this.key(thread, namespace, args[1].id));
        return super.put(...args);
      }
    },
  ),
  defect(
    "errors.refused-batch-changes-nothing",
    "stores a batch as far as it can",
    "Write by write, until one cannot be serialised.",
    class extends SnapshotSaver {
      override async putWrites(...[config, writes, task]: Parameters<MapSaver["putWrites"]>): Promise<void> {
        const { thread, namespace, id } = this.placeToWrite(config);
        if (id !== undefined) this.entriesOf({ thread, namespace, id }).clear();
        await super.putWrites(config, writes, task);
      }
    },
  ),
  defect(
    "errors.refused-beside-good",
    "fails every put of a batch with one",
    "Puts that come together are serialised together.",
    class extends SnapshotSaver {
      private failed = false;
      protected override dump(value: unknown, name: string): Stored {
        try {
          return super.dump(value, name);
        } catch (error) {
          this.failed = true;
          throw error;
        }
      }
      protected override async commit(...args: Parameters<SnapshotSaver["commit"]>): Promise<void> {
        if (this.failed) throw new SaverFailure("BATCH", "the batch was rolled back");
        await super.commit(...args);
      }
    },
  ),
  defect(
    "reopen.refusal-is-seen",
    "stores the record before its values",
    "The row is inserted first, and the values are added to it.",
    class extends SnapshotSaver {
      override async put(...args: Parameters<MapSaver["put"]>) {
        const [config, checkpoint, metadata, versions] = args;
        await super.put(config, { ...checkpoint, channel_values: {} }, metadata, {});
        return super.put(config, checkpoint, metadata, versions);
      }
    },
  ),
];

function revive(value: unknown, lc: number, build: (type: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => revive(each, lc, build));
  if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype)
    return value;
  if ("lc" in value && value.lc === lc && "type" in value) {
    const built = build(value.type);
    if (built !== undefined) return built;
  }
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, revive(each, lc, build)]));
}
