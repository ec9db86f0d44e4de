import { createServer, type AddressInfo, type Server, type Socket } from "node:net";

import { connectTo, HEADER_BYTES, messages, OP_MSG } from "@langgraph-savers/test/mongodb";
import { BSON, type Document } from "mongodb";

/** A command as a member received it. */
export interface Received {
  member: string;
  name: string;
  command: Document;
}

/** Addresses that the driver takes for a replica set or a cluster. Behind all of them is the one server of the tests. */
export interface Topology {
  uri: string;
  /** What was received, but for the driver's own care for its connections. */
  readonly received: Received[];
  /** The primary steps down: from now on the other one is it. */
  elect(): void;
  /** What the next command of that name is answered with, in place of what the server would say; "nothing": not at all. */
  answer(name: string, reply: Document | "nothing"): void;
  close(): Promise<void>;
}

const LISTEN = "127.0.0.1";
const SET = "rs";
const REPLY_PREFIX_BYTES = HEADER_BYTES + 20;
const CARE = new Set(["hello", "ismaster", "isMaster", "ping", "endSessions"]);
const ADMIN = new Set(["enableSharding", "shardCollection"]);
/** Errors of a member that is not primary; drivers look for the new one when they see them. */
const NOT_PRIMARY = { ok: 0, code: 10_107, codeName: "NotWritablePrimary", errmsg: "not primary" };
const SESSIONS = { logicalSessionTimeoutMinutes: 30 };
/** The server of the tests has neither sessions nor an oplog. */
const STRIPPED = ["lsid", "txnNumber", "startTransaction", "autocommit", "$clusterTime"];
const AS_IT_IS = { promoteValues: false, promoteBuffers: false, bsonRegExp: true };

/** A replica set of two members: a primary, and a secondary that answers reads. */
export async function startReplicaSet(target: string): Promise<Topology> {
  let primary = 0;
  const topology = await start(target, ["first", "second"], (at, hosts) => ({
    hello: {
      ...SESSIONS,
      setName: SET,
      setVersion: 1,
      hosts,
      me: hosts[at],
      primary: hosts[primary],
      isWritablePrimary: at === primary,
      ismaster: at === primary,
      secondary: at !== primary,
    },
    refuses: ({ $readPreference }, isWrite) =>
      at !== primary && (isWrite || ($readPreference?.mode ?? "primary") === "primary"),
  }));
  const uri = `mongodb://${topology.hosts.join(",")}/?replicaSet=${SET}`;
  return { ...topology.rest, uri, received: topology.received, elect: () => (primary = 1 - primary) };
}

/** A router of a sharded cluster. */
export async function startRouter(target: string): Promise<Topology> {
  const topology = await start(target, ["router"], () => ({
    hello: { ...SESSIONS, msg: "isdbgrid" },
    refuses: () => false,
  }));
  const uri = `mongodb://${topology.hosts.join(",")}/`;
  return { ...topology.rest, uri, received: topology.received, elect: () => {} };
}

/** What a member is at this moment. */
interface Role {
  hello: Document;
  refuses(command: Document, isWrite: boolean): boolean;
}

const WRITES = new Set(["insert", "update", "delete", "createIndexes", "findAndModify"]);

async function start(target: string, names: string[], roleOf: (at: number, hosts: string[]) => Role) {
  const received: Received[] = [];
  const answers = new Map<string, Document | "nothing">();
  const sockets = new Set<Socket>();
  const hosts: string[] = [];
  const handle = (at: number, name: string, command: Document): Document | "nothing" | undefined => {
    if (CARE.has(name)) return name === "endSessions" ? { ok: 1 } : undefined;
    received.push({ member: names[at]!, name, command: BSON.deserialize(BSON.serialize(command)) });
    if (roleOf(at, hosts).refuses(command, WRITES.has(name))) return NOT_PRIMARY;
    const answer = answers.get(name);
    answers.delete(name);
    return answer ?? (ADMIN.has(name) ? { ok: 1 } : undefined);
  };
  const servers = await Promise.all(
    names.map((_, at) =>
      listen((client) => {
        const upstream = connectTo(target);
        const end = () => {
          client.destroy();
          upstream.destroy();
        };
        for (const socket of [client, upstream]) {
          sockets.add(socket);
          socket.on("error", end).on("close", () => {
            sockets.delete(socket);
            end();
          });
        }
        /** Whether the command under way asks who is there; a driver has one per connection. */
        let isHello = false;
        client.on(
          "data",
          messages((message) => {
            const request = read(message);
            const name = request === undefined ? "hello" : Object.keys(request)[0]!;
            isHello = name === "hello" || name.toLowerCase() === "ismaster";
            const own = request === undefined ? undefined : handle(at, name, request);
            if (own === "nothing") return;
            if (own !== undefined) client.write(replyTo(message, own));
            else upstream.write(request === undefined ? message : withoutSession(message, request));
          }),
        );
        upstream.on(
          "data",
          messages((message) =>
            client.write(isHello ? withFields(message, roleOf(at, hosts).hello) : message),
          ),
        );
      }),
    ),
  );
  for (const server of servers) hosts.push(`${LISTEN}:${(server.address() as AddressInfo).port}`);
  const rest = {
    answer: (name: string, reply: Document | "nothing") => void answers.set(name, reply),
    async close() {
      for (const socket of sockets) socket.destroy();
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
    },
  };
  return { hosts, received, rest };
}

async function listen(onConnection: (client: Socket) => void): Promise<Server> {
  const server = createServer(onConnection);
  await new Promise<void>((resolve) => server.listen(0, LISTEN, resolve));
  return server;
}

/**
 * The command of a message of today's form, with the lists that travel beside it in their places; undefined for the older
 * form, in which drivers say hello.
 */
function read(message: Buffer): Document | undefined {
  if (message.readInt32LE(12) !== OP_MSG) return undefined;
  const command: Document = {};
  for (let at = HEADER_BYTES + 4; at < message.length;) {
    const kind = message[at];
    const end = at + 1 + message.readInt32LE(at + 1);
    if (kind === 0) Object.assign(command, BSON.deserialize(message.subarray(at + 1, end), AS_IT_IS));
    else {
      const nameEnd = message.indexOf(0, at + 5);
      const list: Document[] = (command[message.toString("utf8", at + 5, nameEnd)] = []);
      for (let from = nameEnd + 1; from < end; from += message.readInt32LE(from))
        list.push(BSON.deserialize(message.subarray(from, from + message.readInt32LE(from)), AS_IT_IS));
    }
    at = end;
  }
  return command;
}

function withoutSession(message: Buffer, command: Document): Buffer {
  if (!STRIPPED.some((field) => field in command)) return message;
  const left = Object.fromEntries(Object.entries(command).filter(([field]) => !STRIPPED.includes(field)));
  return withBody(message.subarray(0, HEADER_BYTES + 5), left);
}

function withFields(message: Buffer, fields: Document): Buffer {
  const prefix = message.readInt32LE(12) === OP_MSG ? HEADER_BYTES + 5 : REPLY_PREFIX_BYTES;
  const { topologyVersion: _, ...said } = BSON.deserialize(message.subarray(prefix), AS_IT_IS);
  return withBody(message.subarray(0, prefix), { ...said, ...fields });
}

function replyTo(request: Buffer, document: Document): Buffer {
  const prefix = Buffer.alloc(HEADER_BYTES + 5);
  prefix.writeInt32LE(request.readInt32LE(4), 8);
  prefix.writeInt32LE(OP_MSG, 12);
  return withBody(prefix, document);
}

function withBody(prefix: Buffer, document: Document): Buffer {
  const message = Buffer.concat([prefix, BSON.serialize(document)]);
  message.writeInt32LE(message.length, 0);
  return message;
}
