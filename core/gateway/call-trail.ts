import { ServiceError } from '../errors.ts'
import { PROBLEM_TYPES } from '../http/problems.ts'
import type { Clock } from '../ports/clock.ts'
import { type EgressEnd, EgressError } from '../ports/egress.ts'
import type { Caller } from '../shared/account.ts'
import type { Audit } from './audit.ts'
import type { GuardPass } from './guard/target-guard.ts'
import type { GatewayTarget } from './targets.ts'

/** Follows one call until its body ends, and reports the result to guard and audit. */
export class CallTrail {
  /** Target origin; empty until the call is sent. */
  origin = ''
  /** Status returned to the caller; 0 until then. */
  status = 0
  pass: GuardPass | undefined
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

  /** Ends the call after the body of a response. Only the first end counts. */
  end({ bytes, failure }: EgressEnd): void {
    if (this.#isOver) return
    if (failure !== undefined) this.pass?.failed(failure)
    this.#close(bytes, failure === undefined ? '' : toFailureWord(failure))
  }

  /** Ends the call without a response of the target. */
  fail(error: unknown): void {
    if (this.#isOver) return
    if (error instanceof ServiceError) {
      if (error instanceof EgressError) this.pass?.failed(error.failure)
      this.status = PROBLEM_TYPES[error.code].status
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
    const { account, keyId, source, client = '' } = caller
    this.#audit.add({
      account,
      keyId: keyId ?? '',
      source: source ?? (keyId === undefined ? 'host' : 'key'),
      client,
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

/** Identifies the call that a trail follows. */
export interface TrailedCall {
  readonly target: GatewayTarget
  readonly caller: Pick<Caller, 'account' | 'keyId' | 'source' | 'client'>
}

/** Returns our own error code, or a word for a failure caused by the caller. */
function toFailureWord(failure: NonNullable<EgressEnd['failure']>): string {
  if (failure === 'reader_too_slow') return 'caller_too_slow'
  return failure === 'aborted' ? failure : new EgressError(failure, '').code
}
