import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";

/** What a suite needs to know of a saver: how to get one over empty data, and how to be rid of it. */
export interface SaverUnderTest {
  /** Shown in test names. */
  name: string;
  /** A ready saver over data of its own, empty. */
  create(): Promise<BaseCheckpointSaver> | BaseCheckpointSaver;
  /**
   * Releases a saver and its data. Called once for each saver that `create` or `reopen` gave, the reopened ones first:
   * it must not fail where another saver's `destroy` removed the shared data already.
   */
  destroy?(saver: BaseCheckpointSaver): Promise<void> | void;
  /** A second saver over the same data, as another process would have. */
  reopen(saver: BaseCheckpointSaver): Promise<BaseCheckpointSaver> | BaseCheckpointSaver;
  /** A ready saver over data of its own that uses this serializer; absent where a saver cannot take one. */
  createWith?(options: {
    serde: BaseCheckpointSaver["serde"];
  }): Promise<BaseCheckpointSaver> | BaseCheckpointSaver;
}
