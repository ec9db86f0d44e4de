export const BUCKET = "checkpoints";
