import type { Endpoint } from '../catalogue/records.ts'
import type { Account } from '../shared/account.ts'
import type { MaybePromise } from '../shared/maybe-promise.ts'
import type { CallPlan, CallValues, OutgoingCall } from './call.ts'

/**
 * Builds calls of catalogued endpoints under the gateway's rules. The caller of this interface
 * sends them.
 */
export interface CallMaker {
  /**
   * Finds an endpoint by its short or numeric ID. Rejects with `not_found`, with `no_server` for a
   * webhook, and with `call_not_permitted` if the key is no longer valid or its policy forbids the
   * endpoint.
   */
  find(endpointId: string, caller: MakerCaller): Promise<EndpointCalls>
}

/** The account and key for which calls are built. */
export interface MakerCaller {
  readonly account: Account
  /** Undefined if the host application authenticates callers: then no policy or budget applies. */
  readonly keyId?: string | undefined
}

/** Builds and counts calls of one endpoint. */
export interface EndpointCalls extends Pick<CallPlan, 'originOf'> {
  readonly endpoint: Endpoint
  /** Upper case. */
  readonly method: string
  /**
   * Builds a call, including `accept`, `accept-encoding` and `user-agent`. Throws or rejects like
   * `CallPlan.build`, and with `origin_changed` or `target_failed` if the requested credentials are
   * not available.
   */
  build(values: CallValues, options?: MakerOptions): MaybePromise<OutgoingCall>
  /**
   * Takes one call from the key's daily budget, if it has one. Rejects with `budget_exhausted`, and
   * with `call_not_permitted` like `find`. The key's policy is at most one second old.
   */
  take(): Promise<void>
  /**
   * Returns the remainder of the key's daily budget; undefined without a key or a budget for it.
   */
  left(): Promise<{ readonly left: number; readonly budget: number } | undefined>
}

export interface MakerOptions {
  /** A declared server: its name, its URL template, or its number from 1. */
  readonly server?: string | undefined
  /** Send the account's stored credentials. */
  readonly usesCredentials?: boolean | undefined
  /** The call will not be sent, so no access token is requested. */
  readonly isDryRun?: boolean | undefined
}
