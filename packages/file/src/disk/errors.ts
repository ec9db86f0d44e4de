import { isSaverError, SaverError, type SaverErrorCode } from "@langgraph-savers/core";

const CODES: Record<string, [SaverErrorCode, string]> = {
  ENOSPC: ["STORAGE_FULL", "The disk is full. Free some space; what was acknowledged is intact."],
  EDQUOT: ["STORAGE_FULL", "The disk quota is used up. Free some space; what was acknowledged is intact."],
  EFBIG: ["STORAGE_FULL", "The file is as large as the file system or its limits allow."],
  EACCES: ["ACCESS_DENIED", "The process may not read and write there. Check the owner and the permissions."],
  EPERM: ["ACCESS_DENIED", "The process may not read and write there. Check the owner and the permissions."],
  EROFS: ["ACCESS_DENIED", "The file system is read-only."],
  ELOOP: [
    "SETUP_MISMATCH",
    "There is a symbolic link where a file or folder of the saver should be. Remove it.",
  ],
  ENOTDIR: ["SETUP_MISMATCH", "There is a file where a folder of the saver should be. Remove it."],
  EEXIST: ["SETUP_MISMATCH", "There is a file where a folder of the saver should be. Remove it."],
  EISDIR: ["SETUP_MISMATCH", "There is a folder where a file of the saver should be. Remove it."],
  EMFILE: ["BACKEND_UNAVAILABLE", "The process has too many open files. Close some, or raise its limit."],
  ENFILE: ["BACKEND_UNAVAILABLE", "The system has too many open files."],
  ENOENT: ["BACKEND_UNAVAILABLE", "The directory of the saver is not there. Was it removed or unmounted?"],
};

/** Whatever the file system said, as an error of the pack; those of the pack pass as they are. */
export function asSaverError(doing: string, error: unknown): unknown {
  if (isSaverError(error)) return error;
  const errno = (error as { code?: unknown } | null)?.code;
  const [code, advice] = CODES[String(errno)] ?? [
    "BACKEND_UNAVAILABLE",
    `The file system failed${typeof errno === "string" ? ` (${errno})` : ""}. Check the disk.`,
  ];
  return new SaverError(code, `Could not ${doing}. ${advice}`, { cause: error });
}

export function hasCode(error: unknown, ...codes: string[]): boolean {
  return codes.includes(String((error as { code?: unknown } | null)?.code));
}
