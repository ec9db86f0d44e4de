import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { commandName, connectTo, messages } from "./wire.js";

export const FAULT_KINDS = [
  "cut before the command arrives",
  "cut within the command",
  "cut before the reply",
  "cut within the reply",
  "delay the reply",
] as const;

export interface Fault {
  kind: (typeof FAULT_KINDS)[number];
  /** The nth command from when it was armed, from 0. */
  at: number;
  /** Also cut all that follows, as if the process had ended there. */
  andAllAfter?: boolean;
}

/** A MongoDB address that passes everything on, but for the fault it is armed with. */
export interface FaultProxy {
  uri: string;
  /** Names of the commands since it was armed; the driver's own care for its connections is not counted. */
  readonly commands: string[];
  arm(fault?: Fault): void;
  close(): Promise<void>;
}

const DELAY_MS = 50;
const CARE = new Set(["hello", "ismaster", "isMaster", "ping", "endSessions"]);

export async function startFaultProxy(target: string): Promise<FaultProxy> {
  const folder = await mkdtemp(join(tmpdir(), "savers-proxy-"));
  const path = join(folder, "proxy.sock");
  const sockets = new Set<Socket>();
  let commands: string[] = [];
  let armed: Fault | undefined;

  const faultFor = (name: string): Fault["kind"] | undefined => {
    if (CARE.has(name)) return undefined;
    const at = commands.push(name) - 1;
    if (armed === undefined || at < armed.at) return undefined;
    if (at === armed.at) return armed.kind;
    return armed.andAllAfter ? "cut before the command arrives" : undefined;
  };

  const server = createServer((client) => {
    const upstream = connectTo(target);
    const cut = () => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", cut).on("close", () => {
        sockets.delete(socket);
        cut();
      });
    }
    /** What is to happen to the reply; a driver has one command under way per connection. */
    let onReply: Fault["kind"] | undefined;
    client.on(
      "data",
      messages((message) => {
        const kind = faultFor(commandName(message));
        if (kind === "cut before the command arrives") return cut();
        if (kind === "cut within the command") {
          upstream.write(message.subarray(0, message.length / 2), cut);
          return;
        }
        onReply = kind;
        upstream.write(message);
      }),
    );
    upstream.on(
      "data",
      messages((message) => {
        const kind = onReply;
        onReply = undefined;
        if (kind === "cut before the reply") return cut();
        if (kind === "cut within the reply") client.write(message.subarray(0, message.length / 2), cut);
        else if (kind === "delay the reply") setTimeout(() => client.write(message), DELAY_MS);
        else client.write(message);
      }),
    );
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));

  return {
    uri: `mongodb://${encodeURIComponent(path)}/?directConnection=true`,
    get commands() {
      return commands;
    },
    arm(fault) {
      commands = [];
      armed = fault;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
      await rm(folder, { recursive: true, force: true });
    },
  };
}
