import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";

export interface Request {
  command: string;
  input: Record<string, unknown>;
}

/** Holds or fails single requests of a client, so that a test can put two calls into the order that it is about. */
export class Gate {
  #catches: ((request: Request) => boolean) | undefined;
  #reached: (() => void) | undefined;
  #opened: Promise<void> | undefined;
  #open: (() => void) | undefined;
  #fails: ((request: Request) => boolean) | undefined;

  constructor(client: DynamoDBClient) {
    client.middlewareStack.add(
      (next, { commandName }) =>
        async (args) => {
          const request = {
            command: String(commandName).replace(/Command$/, ""),
            input: args.input as Record<string, unknown>,
          };
          if (this.#fails?.(request) === true)
            throw Object.assign(new Error("injected"), { name: "AccessDeniedException", $metadata: {} });
          if (this.#catches?.(request) === true) {
            this.#catches = undefined;
            this.#reached!();
            await this.#opened;
          }
          return next(args);
        },
      { step: "initialize", name: "gate" },
    );
  }

  /** Holds the first such request. Resolves when one has come; `open` lets it go on. */
  hold(catches: (request: Request) => boolean): Promise<void> {
    this.#catches = catches;
    this.#opened = new Promise((resolve) => (this.#open = resolve));
    return new Promise((resolve) => (this.#reached = resolve));
  }

  open(): void {
    this.#open!();
  }

  /** Fails such requests from now on, without a retry; undefined: none. */
  fail(fails: ((request: Request) => boolean) | undefined): void {
    this.#fails = fails;
  }
}

/** The put of a checkpoint's own item. */
export function putsCheckpoint({ command, input }: Request): boolean {
  const sortKey = (input["Item"] as Record<string, { S?: string }> | undefined)?.["SK"]?.S ?? "";
  return command === "PutItem" && sortKey.startsWith("C#");
}

/** The update of the item of a task's writes. */
export function putsWrites({ command, input }: Request): boolean {
  const sortKey = (input["Key"] as Record<string, { S?: string }> | undefined)?.["SK"]?.S ?? "";
  return command === "UpdateItem" && sortKey.startsWith("C#");
}
