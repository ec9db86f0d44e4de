import { randomUUID } from "node:crypto";
import { Annotation } from "@langchain/langgraph";

export interface ThreadConfig {
  configurable: { thread_id: string };
}

export function thread(id: string = randomUUID()): ThreadConfig {
  return { configurable: { thread_id: id } };
}

export async function collect<T>(items: AsyncIterable<T> | Promise<AsyncIterable<T>>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of await items) all.push(item);
  return all;
}

/** A channel that concatenates: what was written, in the order it was applied. */
export function appended<T>() {
  return Annotation<T[], T[]>({ reducer: (left, right) => left.concat(right), default: () => [] });
}

/** The interrupts a run ended with. */
export function interruptsOf(result: unknown): { id: string; value: unknown }[] {
  return (result as { __interrupt__?: { id: string; value: unknown }[] }).__interrupt__ ?? [];
}

/** The run's values without the interrupts it ended with. */
export function valuesOf(result: unknown): Record<string, unknown> {
  const { __interrupt__: _, ...values } = result as Record<string, unknown>;
  return values;
}

export function checkpointId(
  config: { configurable?: Record<string, unknown> } | undefined,
): string | undefined {
  return config?.configurable?.["checkpoint_id"] as string | undefined;
}
