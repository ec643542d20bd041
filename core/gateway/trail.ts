import { type EgressEnd, EgressError } from '../egress/egress.ts'
import { PROBLEMS, ServiceError } from '../http/problems.ts'
import type { Clock } from '../ports.ts'
import type { Caller } from '../shared/account.ts'
import type { Audit } from './audit.ts'
import type { Pass } from './guard/guard.ts'
import type { Target } from './targets.ts'

/** One call from its beginning to the end of its body: what the guard and the audit are told of it. */
export class Trail {
  /** Where it went; empty while nothing was sent. */
  origin = ''
  /** What the caller was answered; 0 while nothing was. */
  status = 0
  pass: Pass | undefined
  #isOver = false
  readonly #audit: Audit
  readonly #clock: Clock
  readonly #call: TrailedCall
  readonly #startedAt: number

  constructor(deps: { readonly audit: Audit; readonly clock: Clock }, call: TrailedCall) {
    this.#audit = deps.audit
    this.#clock = deps.clock
    this.#call = call
    this.#startedAt = deps.clock()
  }

  /** The call has ended, with the body of an answer. Told twice, it counts once. */
  end({ bytes, failure }: EgressEnd): void {
    if (this.#isOver) return
    if (failure !== undefined) this.pass?.failed(failure)
    this.#close(bytes, failure === undefined ? '' : toWord(failure))
  }

  /** The call has ended without an answer of the target. */
  fail(error: unknown): void {
    if (this.#isOver) return
    if (error instanceof ServiceError) {
      if (error instanceof EgressError) this.pass?.failed(error.failure)
      this.status = PROBLEMS[error.code].status
      this.#close(0, error.code)
    } else {
      this.pass?.failed('aborted')
      this.#close(0, 'aborted')
    }
  }

  #close(bytes: number, failure: string): void {
    this.#isOver = true
    this.pass?.leave()
    const { target, caller } = this.#call
    const { account, keyId, source } = caller
    this.#audit.add({
      account,
      keyId: keyId ?? '',
      source: source ?? (keyId === undefined ? 'host' : 'key'),
      endpointId: target.endpoint.id,
      endpoint: target.endpoint.shortId,
      apiId: target.apiId,
      method: target.method,
      origin: this.origin,
      startedAt: this.#startedAt,
      status: this.status,
      failure,
      bytes,
      ms: Math.max(0, this.#clock() - this.#startedAt),
    })
  }
}

/** Whose call of what a trail follows. */
export interface TrailedCall {
  readonly target: Target
  readonly caller: Pick<Caller, 'account' | 'keyId' | 'source'>
}

/** The code of our own failure, or what the caller did. */
function toWord(failure: NonNullable<EgressEnd['failure']>): string {
  if (failure === 'reader_too_slow') return 'caller_too_slow'
  return failure === 'aborted' ? failure : new EgressError(failure, '').code
}
