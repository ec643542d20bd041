/** A command that was used wrongly: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** A command that could not do its work, for a reason the operator understands: exit code 1. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
}

/** A command that was stopped by a signal, in order: exit code 130. */
export class StoppedError extends Error {
  override readonly name = 'StoppedError'
}
