/**
 * Hashes passwords, deliberately slowly to prevent guessing. `hash` and `verify` take the same time
 * for every password, and reject with `overloaded` if the queue is full.
 */
export interface PasswordHasher {
  /** PHC string format, including salt and cost. */
  hash(password: string): Promise<string>
  verify(password: string, hash: string): Promise<boolean>
  /** True if the hash has a lower cost than the current one: it is renewed at the next log-in. */
  isOutdated(hash: string): boolean
  /**
   * The same hasher with higher priority and a separate queue. It is used for addresses with an
   * earlier successful log-in, so that a flood of other attempts can't block them. Default: the
   * hasher itself.
   */
  readonly preferred?: Pick<PasswordHasher, 'hash' | 'verify'>
}
