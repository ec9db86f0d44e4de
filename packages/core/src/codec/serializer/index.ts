export { Serializer } from "./serializer.js";
export { UnserializableError } from "./errors.js";
