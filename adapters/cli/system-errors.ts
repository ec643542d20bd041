/** Explains a system error of a file or a stream; returns its code if it has no explanation. */
export function describeSystemError(error: unknown): string {
  if (!(error instanceof Error) || !('code' in error)) return 'unknown reason'
  return describeErrorCode(String(error.code))
}

/** Explains a system error code; returns the code if it has no explanation. */
export function describeErrorCode(code: string): string {
  return ERROR_DESCRIPTIONS.get(code) ?? code
}

const ERROR_DESCRIPTIONS: ReadonlyMap<string, string> = new Map([
  ['EACCES', 'permission denied'],
  ['EEXIST', 'a file with its name exists'],
  ['EISDIR', 'it is a folder'],
  ['EIO', 'the disk reported an error'],
  ['EMFILE', 'too many files are open'],
  ['ENAMETOOLONG', 'its name is too long'],
  ['ENOENT', 'file not found'],
  ['ENOSPC', 'the disk is full'],
  ['ENOTDIR', 'a part of its path is not a folder'],
  ['EPERM', 'permission denied'],
])
