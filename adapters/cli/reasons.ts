/** Why the system refused a file or a stream, in words; the system's own code where there are none. */
export function toReason(error: unknown): string {
  if (!(error instanceof Error) || !('code' in error)) return 'unknown reason'
  return toWords(String(error.code))
}

/** The words for a code of the system, else the code. */
export function toWords(code: string): string {
  return WORDS.get(code) ?? code
}

const WORDS: ReadonlyMap<string, string> = new Map([
  ['EACCES', 'it may not be opened'],
  ['EISDIR', 'it is a folder'],
  ['EIO', 'the disk reports an error'],
  ['EMFILE', 'too many files are open'],
  ['ENAMETOOLONG', 'its name is too long'],
  ['ENOENT', 'there is no such file'],
  ['ENOSPC', 'the disk is full'],
  ['ENOTDIR', 'a part of its path is no folder'],
  ['EPERM', 'it may not be opened'],
])
