/** A value that is there already or will be. */
export type Eventual<T> = T | Promise<T>

/** Goes on with a value: at once where it is there, as a promise costs more than most such work. */
export function whenReady<T, R>(value: Eventual<T>, next: (value: T) => Eventual<R>): Eventual<R> {
  return value instanceof Promise ? value.then(next) : next(value)
}
