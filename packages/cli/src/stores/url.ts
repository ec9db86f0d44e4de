import { UsageError } from "../command/errors.js";
import type { StoreKind } from "./store.js";

/** A store's URL, taken apart. */
export interface StoreUrl {
  kind: StoreKind;
  /** What is behind the scheme, for the kind to read; with it where the driver wants a whole connection string. */
  address: string;
}

const KNOWN =
  "file:, mongodb://, dynamodb://, official-mongodb://, official-sqlite:, or the path of a module";

/** Tells the kind of a store by its scheme; what has none is the path of a module. */
export function parseStoreUrl(url: string): StoreUrl {
  const [, scheme, rest = ""] = /^([a-z][a-z0-9+-]+):(.*)$/is.exec(url) ?? [];
  switch (scheme?.toLowerCase()) {
    case undefined:
      return { kind: "module", address: url };
    case "module":
      return { kind: "module", address: rest };
    case "file":
      return { kind: "file", address: rest };
    case "official-sqlite":
      return { kind: "official-sqlite", address: rest };
    case "mongodb":
    case "mongodb+srv":
      return { kind: "mongodb", address: url };
    case "official-mongodb":
    case "official-mongodb+srv":
      return { kind: "official-mongodb", address: url.slice("official-".length) };
    case "dynamodb":
      return { kind: "dynamodb", address: rest };
    default:
      throw new UsageError(`There is no store of the kind "${scheme}:". There are: ${KNOWN}.`);
  }
}

/** Takes options of ours out of a URL's query; the rest is left as it is. */
export function takeOptions<Name extends string>(
  url: string,
  names: readonly Name[],
): { url: string; options: Partial<Record<Name, string>> } {
  const start = url.indexOf("?");
  if (start === -1) return { url, options: {} };
  const options: Partial<Record<Name, string>> = {};
  const kept = url
    .slice(start + 1)
    .split("&")
    .filter((part) => {
      const [name = "", ...value] = part.split("=");
      const known = names.find((each) => each === name);
      if (known !== undefined) options[known] = decodeURIComponent(value.join("="));
      return known === undefined && part !== "";
    });
  return { url: url.slice(0, start) + (kept.length > 0 ? `?${kept.join("&")}` : ""), options };
}
