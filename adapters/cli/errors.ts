/** Invalid usage of a command; exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** A failed command with a message for the user; exit code 1. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
}

/** A command that a signal stopped gracefully; exit code 130. */
export class StoppedError extends Error {
  override readonly name = 'StoppedError'
}

/** Describes any error without its stack. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const isExpected = ['Error', 'UsageError', 'CommandError', 'StoppedError', 'ServiceError']
  return isExpected.includes(error.name) ? error.message : `${error.name}: ${error.message}`
}
