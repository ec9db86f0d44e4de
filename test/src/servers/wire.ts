import { connect, type Socket } from "node:net";

/** What proxies in front of a MongoDB server need of its wire protocol. */
export const HEADER_BYTES = 16;
export const OP_MSG = 2013;

export function connectTo(uri: string): Socket {
  const host = /^mongodb:\/\/(?:[^@/]*@)?([^/?]+)/.exec(uri)?.[1] ?? "";
  const address = decodeURIComponent(host);
  if (address.startsWith("/")) return connect(address);
  const [name, port = "27017"] = address.split(":");
  return connect(Number(port), name);
}

/** Puts the wire protocol's messages together: each starts with its length. */
export function messages(handle: (message: Buffer) => void): (data: Buffer) => void {
  let pending = Buffer.alloc(0);
  return (data) => {
    pending = Buffer.concat([pending, data]);
    while (pending.length >= HEADER_BYTES && pending.length >= pending.readInt32LE(0)) {
      const length = pending.readInt32LE(0);
      handle(pending.subarray(0, length));
      pending = pending.subarray(length);
    }
  };
}

/** The first key of the command's document: behind the header, the flags, the kind of section, a length and a type. */
export function commandName(message: Buffer): string {
  if (message.readInt32LE(12) !== OP_MSG) return "hello";
  const start = HEADER_BYTES + 4 + 1 + 4 + 1;
  return message.toString("utf8", start, message.indexOf(0, start));
}
