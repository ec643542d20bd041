import type { Endpoint } from '../catalogue/records.ts'
import type { Account } from '../shared/account.ts'
import type { MaybePromise } from '../shared/maybe-promise.ts'
import type { CallPlan, CallValues, OutgoingCall } from './call.ts'

/** Makes calls of catalogued endpoints under the gateway's rules, for who sends them on its own. */
export interface CallMaker {
  /**
   * By short or numeric id. Rejects with `not_found`, with `no_server` for what only its vendor calls,
   * and with `call_not_permitted` where the key is not in force any more, or its policy does not
   * permit it.
   */
  find(endpointId: string, caller: MakerCaller): Promise<EndpointCalls>
}

/** For whom calls are made. */
export interface MakerCaller {
  readonly account: Account
  /** Undefined when the host authenticates on its own: then there is neither policy nor budget. */
  readonly keyId?: string | undefined
}

/** The calls of one endpoint. */
export interface EndpointCalls extends Pick<CallPlan, 'originOf'> {
  readonly endpoint: Endpoint
  /** Upper case. */
  readonly method: string
  /**
   * Builds a call, `accept`, `accept-encoding` and `user-agent` included. Throws or rejects as
   * `CallPlan.build` does, and with `origin_changed` or `target_failed` where credentials are wanted
   * that cannot be had.
   */
  build(values: CallValues, options?: MakerOptions): MaybePromise<OutgoingCall>
  /**
   * Takes one call out of the key's daily budget, if it has one. Rejects with `budget_exhausted`, and
   * with `call_not_permitted` as `find` does: what a key may do is at most a second old.
   */
  take(): Promise<void>
  /** What the key's daily budget has left; undefined without a key, or a budget of it. */
  left(): Promise<{ readonly left: number; readonly budget: number } | undefined>
}

export interface MakerOptions {
  /** Which of the declared servers: its name, its URL template, or its number from 1. */
  readonly server?: string | undefined
  /** Credentials that the account has stored go along. */
  readonly usesCredentials?: boolean | undefined
  /** Nothing will be sent: no access token is asked for. */
  readonly isDryRun?: boolean | undefined
}
