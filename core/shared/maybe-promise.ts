/** A value, or a promise of it. */
export type MaybePromise<T> = T | Promise<T>

/**
 * Calls `next` synchronously unless `value` is a promise: most values are not, and awaiting one
 * would cost more than the work.
 */
export function chain<T, R>(
  value: MaybePromise<T>,
  next: (value: T) => MaybePromise<R>,
): MaybePromise<R> {
  return value instanceof Promise ? value.then(next) : next(value)
}
