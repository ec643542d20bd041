/** Explains a system error of a file or a stream; returns its code if it has no explanation. */
export function toReason(error: unknown): string {
  if (!(error instanceof Error) || !('code' in error)) return 'unknown reason'
  return toWords(String(error.code))
}

/** Explains a system error code; returns the code if it has no explanation. */
export function toWords(code: string): string {
  return WORDS.get(code) ?? code
}

const WORDS: ReadonlyMap<string, string> = new Map([
  ['EACCES', 'permission denied'],
  ['EISDIR', 'it is a folder'],
  ['EIO', 'the disk reported an error'],
  ['EMFILE', 'too many files are open'],
  ['ENAMETOOLONG', 'its name is too long'],
  ['ENOENT', 'file not found'],
  ['ENOSPC', 'the disk is full'],
  ['ENOTDIR', 'a part of its path is not a folder'],
  ['EPERM', 'permission denied'],
])
