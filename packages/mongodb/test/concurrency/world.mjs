import { text } from "@langgraph-savers/test/checkpoints";

export const THREADS = ["shared", "shared too", "shared:three"];
export const NAMESPACES = ["", "child:1"];
export const TASKS = ["A", "B"];
/** The checkpoints of a namespace are numbered; the first of them are deleted again and again. */
export const CHECKPOINTS = 60;
export const DOOMED = 20;

/**
 * @typedef {object} Job
 * @property {string} uri
 * @property {string} dbName
 * @property {string} collectionName
 * @property {number} worker
 * @property {number} operations
 * @property {number} epoch when the clock of all processes begins to run faster
 * @property {number} speed
 */

/**
 * What a process was told to be stored.
 *
 * @typedef {object} Report
 * @property {string[]} puts
 * @property {string[]} writes
 * @property {string[]} specials
 * @property {string[]} damaged checkpoints that it read with values which nobody put
 * @property {Record<string, number>} counted how often it counted each thread's register on
 * @property {number} collected chunks
 */

/**
 * The values of a checkpoint: the same whoever puts it, so that all orders of all calls give one result.
 *
 * @param {string} thread
 * @param {string} namespace
 * @param {number} number
 * @returns {Record<string, unknown>}
 */
export function valuesOf(thread, namespace, number) {
  return { big: text(6000 + number * 100, 5), id: `${thread} ${namespace} ${number}` };
}

/**
 * A batch that tells who wrote it: of those of one task the first one stays, whole.
 *
 * @param {number} worker
 * @param {number} at
 * @returns {[string, unknown][]}
 */
export function batchOf(worker, at) {
  return [
    ["x", `${worker} ${at}`],
    ["y", { text: text(3000, 9), by: `${worker} ${at}` }],
    ["z", `${worker} ${at}`],
  ];
}
