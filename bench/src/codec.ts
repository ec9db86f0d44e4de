import { MemorySaver } from "@langchain/langgraph-checkpoint";
import { InMemorySaver, Serializer } from "@langgraph-savers/core";

import { ByteCounter, SnapshotCounter } from "./byte-counters.js";
import { chat, messages } from "./chat.js";
import { sideBySide } from "./measure.js";
import { bytes, report } from "./report.js";

const TURNS = 300;

/** The serializer against LangGraph's own, and the bytes of a chat against full snapshots. */
export async function codec(): Promise<boolean> {
  const speed = await serializers();
  const size = await storage();
  return speed && size;
}

async function serializers(): Promise<boolean> {
  const state = messages(600);
  const official = new MemorySaver().serde;
  const ours = new Serializer();
  const [officialType, officialData] = await official.dumpsTyped(state);
  const [ourType, ourData] = await ours.dumpsTyped(state);
  const dump = await sideBySide(
    { official: () => official.dumpsTyped(state), ours: () => ours.dumpsTyped(state) },
    60,
  );
  const load = await sideBySide(
    {
      official: () => official.loadsTyped(officialType, officialData),
      ours: () => ours.loadsTyped(ourType, ourData),
    },
    60,
  );
  const detail = (times: { official: number; ours: number }) =>
    `JsonPlusSerializer ${times.official.toFixed(2)} ms, Serializer ${times.ours.toFixed(2)} ms`;
  return report("Serializer, 600 messages of 1 KB (medians, interleaved)", [
    { name: "load", detail: detail(load), ratio: load.official / load.ours, atLeast: 6 },
    { name: "dump", detail: detail(dump), ratio: dump.official / dump.ours, atLeast: 1.2 },
  ]);
}

async function storage(): Promise<boolean> {
  const snapshots = new SnapshotCounter();
  const snapshotTurn = chat(snapshots);
  const store = new ByteCounter();
  const perTurn: number[] = [];
  let before = 0;
  const ourTurn = chat(new InMemorySaver({ store }));
  for (let turn = 1; turn <= TURNS; turn++) {
    await snapshotTurn(turn);
    await ourTurn(turn);
    perTurn.push(store.bytes - before);
    before = store.bytes;
  }
  const around = (turn: number) => perTurn.slice(turn - 10, turn).reduce((sum, count) => sum + count, 0) / 10;
  return report(`Chat of ${TURNS} turns, checkpoints and writes`, [
    {
      name: "smaller than full snapshots",
      detail: `full snapshots ${bytes(snapshots.bytes)}, stored ${bytes(store.bytes)}`,
      ratio: snapshots.bytes / store.bytes,
      atLeast: 60,
    },
    {
      name: "turn 10's bytes / turn 300's",
      detail: `ten turns up to 10: ${bytes(around(10))} a turn, up to 300: ${bytes(around(300))}`,
      ratio: around(10) / around(300),
      atLeast: 0.5,
    },
  ]);
}
