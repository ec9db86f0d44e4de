/**
 * How long chunks stay after the last record that referred to them is gone: three times what a writer relies on what it
 * saw stored (see `ThreadCache`), so that whatever still refers to such a chunk is there before the chunk goes.
 */
export const GRACE_MS = 60 * 60_000;
