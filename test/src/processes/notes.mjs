// What the processes of the stress test put into threads, and how they tell whether they find it as it was put.
import { Annotation, START, StateGraph } from "@langchain/langgraph";

const State = Annotation.Root({
  notes: Annotation({
    reducer: (/** @type {string[]} */ before, /** @type {string[]} */ added) => [...before, ...added],
    default: () => /** @type {string[]} */ ([]),
  }),
  /** One of a few pages in turn: what a checkpoint that was pruned held comes again. */
  page: Annotation,
});

/**
 * Adds two notes a run: the next two of the thread. They are numbered, and each is known from its number.
 *
 * @param {import("@langchain/langgraph-checkpoint").BaseCheckpointSaver} checkpointer
 */
export function notesGraph(checkpointer) {
  /** @param {typeof State.State} state @param {import("@langchain/langgraph").LangGraphRunnableConfig} config */
  const add = ({ notes }, config) => {
    const origin = String(config.configurable?.["origin"]);
    return { notes: [note(origin, notes.length)], page: pageOf(origin, notes.length + 1) };
  };
  return new StateGraph(State)
    .addNode("first", add)
    .addNode("second", add)
    .addEdge(START, "first")
    .addEdge("first", "second")
    .compile({ checkpointer });
}

/** Threads in which nothing was put for so long are expired: 6 seconds of the test. */
export const IDLE_MS = 40 * 60_000;

/** @param {string} thread @param {string} [origin] where the notes begin, if it is another thread */
export const configOf = (thread, origin = thread) => ({ configurable: { thread_id: thread, origin } });

/** @param {string} thread @param {number} number @param {number} [least] */
function note(thread, number, least = 200) {
  let state = (number + 1) * 2_654_435_761;
  let filler = "";
  for (let length = least + ((number * 977) % 5_000); filler.length < length;) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    filler += state.toString(36);
  }
  return `${thread} ${number} ${filler}`;
}

/** @param {string} thread @param {number} count how many notes there are */
function pageOf(thread, count) {
  return note(thread, count % 3, 6_000);
}

/**
 * What is wrong with the state of a thread, or undefined.
 *
 * @param {string} thread @param {unknown} state @param {number} [expected] how many notes there must be
 */
export function wrongState(thread, state, expected) {
  const { notes: list = [], page } = /** @type {{ notes?: string[], page?: string }} */ (state ?? {});
  if (list.length > 0 && page !== pageOf(thread, list.length)) return "the page is not what was put";
  if (expected !== undefined && list.length !== expected)
    return `${list.length} notes instead of ${expected}`;
  const wrong = list.findIndex((each, at) => each !== note(thread, at));
  return wrong === -1 ? undefined : `note ${wrong} is not what was put`;
}

/** @param {number} seed */
export function randomFrom(seed) {
  let state = seed >>> 0;
  return (/** @type {number} */ below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
