import { FileSaver } from "../../src/index.js";
import { digest, digestOfState } from "../chaos/history.mjs";
import { HELD, putNumber, putState, REGISTER, type Ack } from "./workload.js";

/** What a saver reads in a folder. */
export interface Findings {
  states: Map<string, string>;
  writes: Map<string, string>;
  numbers: Map<number, string>;
  token: string | undefined;
}

/** Throws what cannot be read. */
export async function survey(saver: FileSaver): Promise<Findings> {
  const found: Findings = { states: new Map(), writes: new Map(), numbers: new Map(), token: undefined };
  await saver.setup();
  for (const thread of ["a", "b", "c"]) {
    for await (const { checkpoint, pendingWrites } of saver.list({ configurable: { thread_id: thread } })) {
      const values = checkpoint.channel_values;
      if (values["self"] !== digestOfState(values))
        throw new Error(`${checkpoint.id} holds a state that nobody put`);
      found.states.set(checkpoint.id, digestOfState(values));
      for (const [, , value] of pendingWrites ?? []) found.writes.set(checkpoint.id, digest(value));
    }
  }
  const { items } = await saver.store.listCheckpoints({ threadId: HELD, limit: 1000 });
  for (const { checkpointId, checkpoint } of items)
    found.numbers.set(Number(checkpointId), digest(Buffer.from(checkpoint!.body).toString()));
  found.token = await saver.store.getRegister(HELD, REGISTER);
  return found;
}

/** What was acknowledged and is not there, or was deleted and is. */
export function problemsOf({ states, writes, numbers, token }: Findings, acks: readonly Ack[]): string[] {
  const problems: string[] = [];
  const ids = (kind: Ack["kind"]): Set<string> =>
    new Set(acks.flatMap((ack) => (ack.kind === kind && "ids" in ack ? ack.ids : [])));
  const [trying, deleted] = [ids("trying to delete"), ids("deleted")];
  const tokens = acks.flatMap((ack) => (ack.kind === "trying to take" ? [ack.token] : []));
  let taken: string | undefined;
  for (const ack of acks) {
    if (ack.kind === "taken") taken = ack.token;
    if (ack.kind === "counted" && numbers.get(ack.number) !== ack.digest)
      problems.push(`number ${ack.number} is lost`);
    if (ack.kind === "put" && !trying.has(ack.id) && states.get(ack.id) !== ack.digest)
      problems.push(`the put of ${ack.id} is lost`);
    // Writes show with their checkpoint.
    if (ack.kind === "write" && states.has(ack.id) && writes.get(ack.id) !== ack.digest)
      problems.push(`the write of ${ack.id} is lost`);
  }
  for (const id of deleted) if (states.has(id)) problems.push(`${id} was deleted, and is there`);
  if (!tokens.slice(taken === undefined ? 0 : tokens.indexOf(taken)).includes(token ?? "") && token !== taken)
    problems.push(`the register holds ${token}, after ${taken} was acknowledged`);
  return problems;
}

/** Nobody ever had the register with which these were tried, whatever was acknowledged. */
export function impostorsOf({ numbers }: Findings): string[] {
  return [...numbers.keys()].filter((number) => number >= 1000).map((number) => `number ${number} was void`);
}

/** Goes on where the power loss left off, and closes. What was there before must be the same afterwards, and what is new there. */
export async function goOn(folder: string, before: Findings): Promise<string[]> {
  const saver = new FileSaver(folder);
  await saver.setup();
  const values: Record<string, unknown> = { list: ["after the loss"], large: "small" };
  values["self"] = digestOfState(values);
  for (const thread of ["a", "b", "c"]) {
    for (const step of [98, 99]) {
      const id = `${thread}-0${step}`;
      await putState(saver, thread, id, values, { step, changed: { list: step, large: 1, self: step } });
      before.states.set(id, digestOfState(values));
    }
  }
  const problems: string[] = [];
  if (!(await saver.store.setRegister(HELD, REGISTER, "new", before.token)))
    problems.push("the register is not what was read");
  if (before.token !== undefined && (await putNumber(saver.store, 2000, "late", before.token)).committed)
    problems.push("a former holder could put");
  if (!(await putNumber(saver.store, 500, "next", "new")).committed)
    problems.push("the holder could not put");
  before.numbers.set(500, digest("next"));
  before.token = "new";
  await saver.close();
  const again = new FileSaver(folder);
  const after = await survey(again);
  await again.close();
  for (const part of ["states", "writes", "numbers"] as const) {
    const [was, is] = [before[part], after[part]].map((map) =>
      JSON.stringify([...map].map((each) => JSON.stringify(each)).toSorted((a, b) => (a < b ? -1 : 1))),
    );
    if (was !== is) problems.push(`${part} have changed after the loss: ${was} to ${is}`);
  }
  if (after.token !== before.token) problems.push(`the register has become ${after.token}`);
  return problems;
}
