import type { CallPlan, CallValues, OutgoingCall } from '../calls/call.ts'
import { isOfOrigin } from '../calls/origins.ts'
import { ServiceError } from '../errors.ts'
import type { Clock } from '../ports/clock.ts'
import type { Egress, EgressRequest, EgressResponse } from '../ports/egress.ts'
import type { Account, CallSource } from '../shared/account.ts'
import { chain, type MaybePromise } from '../shared/maybe-promise.ts'
import type { Audit } from './audit.ts'
import type { Budgets } from './budgets.ts'
import { CallTrail } from './call-trail.ts'
import type { AccessTokens, UsedToken } from './credentials/access-tokens.ts'
import type { CallCredentials, CredentialValues } from './credentials/credential-values.ts'
import type { Credentials } from './credentials/credentials.ts'
import { followRedirects, limitToRemainingTime } from './follow-redirects.ts'
import {
  createDryRunResponse,
  type GatewayResponse,
  passResponseBack,
} from './gateway-responses.ts'
import { sendWithRetry } from './guard/send-with-retry.ts'
import type { TargetGuard } from './guard/target-guard.ts'
import { checkPolicy, type Policies } from './policies.ts'
import type { Recorder } from './recordings/recorder.ts'
import {
  addHeaders,
  type CallerHeaders,
  type HeaderOptions,
  toPortableHeaders,
} from './request-headers.ts'
import type { GatewayTarget, GatewayTargets } from './targets.ts'

/** A call of a catalogued endpoint. */
export interface GatewayCall extends CallerHeaders {
  /** Short or numeric ID. */
  readonly endpointId: string
  readonly values: CallValues
  /** Selects a declared server by name, URL template or number from 1. */
  readonly server?: string | undefined
  /** Follow at most three redirects; otherwise a redirect is returned unchanged. */
  readonly followRedirects?: boolean
  /** Return the request as JSON instead of sending it. */
  readonly isDryRun?: boolean
  /** Record the response for the account, redacted and size-limited. */
  readonly isRecorded?: boolean
  /** Aborts the call before its response. */
  readonly signal?: AbortSignal | undefined
}

/** The account and key that make a call. */
export interface GatewayCaller {
  readonly account: Account
  /** Undefined if the host authenticates users itself: then no policy or budget applies. */
  readonly keyId?: string | undefined
  /** See `Caller.source`. */
  readonly source?: CallSource | undefined
}

/** Dependencies of the call service. */
export interface CallServiceDeps {
  readonly egress: Egress | undefined
  readonly targets: GatewayTargets
  readonly policies: Pick<Policies, 'find'>
  readonly budgets: Pick<Budgets, 'take' | 'returnCall'>
  readonly credentials: Pick<Credentials, 'find'>
  readonly credentialValues: CredentialValues
  readonly tokens: Pick<AccessTokens, 'reportRefused'>
  readonly guard: TargetGuard
  readonly audit: Audit
  readonly recorder: Recorder
  readonly clock: Clock
  readonly userAgent: string
  /** See `GatewayDeps`. */
  readonly totalMs: number | undefined
}

/** A call that is ready to be sent. */
interface PreparedCall {
  readonly call: OutgoingCall
  readonly origin: string
  readonly tokens: readonly UsedToken[]
}

/** A sent call with its response. */
interface SentCall {
  readonly prepared: PreparedCall
  readonly answer: EgressResponse
}

/**
 * Creates the function that calls targets: from looking up the endpoint to passing its response
 * back.
 */
export function createCallService(
  deps: CallServiceDeps,
): (call: GatewayCall, caller: GatewayCaller) => Promise<GatewayResponse> {
  const { egress, targets, policies, budgets, credentials, credentialValues, clock } = deps
  const limits = deps.totalMs === undefined ? undefined : { totalMs: deps.totalMs }

  function prepareCall(
    target: GatewayTarget,
    request: GatewayCall,
    account: Account,
  ): MaybePromise<PreparedCall> {
    const { values, server, isDryRun = false } = request
    // A response to TRACE contains the request (RFC 9110 9.3.8).
    const found = target.method === 'TRACE' ? [] : credentials.find(account, target)
    return chain(found, (stored) => {
      const origin = target.plan.originOf(values, { server })
      const way = { account, target, values, origin, isDryRun }
      return chain(credentialValues.toValues(stored, way), (added) =>
        buildCall(target, request, { origin, added }),
      )
    })
  }

  function buildCall(
    { plan }: GatewayTarget,
    request: GatewayCall,
    { origin, added }: { readonly origin: string; readonly added: CallCredentials },
  ): PreparedCall {
    const { values, server } = request
    const call = plan.build(values, { server, credentials: added.values })
    // Safeguard: a credential must never be sent to another origin than the confirmed one.
    if (!isOfOrigin(call.url, origin)) throw new ServiceError('internal', 'A call left its origin')
    const headers = addHeaders(call.headers, toHeaderOptions(plan, request))
    return { call: { ...call, headers }, origin, tokens: added.tokens }
  }

  function toHeaderOptions({ accept }: CallPlan, request: GatewayCall): HeaderOptions {
    // The recorder needs a body without content encoding.
    const isPlain = request.isRecorded === true
    return { caller: request, accept, isPlain, userAgent: deps.userAgent }
  }

  /** Checks the policy of the key. Returns its daily budget; undefined if it has none. */
  function checkKey(
    target: GatewayTarget,
    { account, keyId }: GatewayCaller,
  ): MaybePromise<number | undefined> {
    if (keyId === undefined) return undefined
    return chain(policies.find(account, keyId), (policy) => {
      if (policy) checkPolicy(policy, target)
      return policy?.dailyBudget
    })
  }

  function toEgressRequest({ call }: PreparedCall, { signal }: GatewayCall): EgressRequest {
    const { method, url, headers, body } = call
    return { method, url, headers, body, signal, limits }
  }

  /**
   * Reports a refused access token, which may happen before it expires. Returns true if a retry is
   * useful.
   */
  function refuseTokens(
    { answer, prepared: { origin, tokens } }: SentCall,
    account: Account,
  ): boolean {
    // No token is sent to another origin after a redirect.
    if (answer.status !== 401 || tokens.length === 0 || !isOfOrigin(answer.url, origin))
      return false
    const isWorthIt = tokens.map((used) => deps.tokens.reportRefused(account, used))
    return isWorthIt.includes(true)
  }

  async function resend(
    port: Egress,
    { answer }: SentCall,
    more: {
      readonly target: GatewayTarget
      readonly request: GatewayCall
      readonly account: Account
      readonly startedAt: number
    },
  ): Promise<SentCall> {
    answer.discard()
    const anew = await prepareCall(more.target, more.request, more.account)
    const whole = toEgressRequest(anew, more.request)
    const request = limitToRemainingTime(whole, { egress: port, clock, startedAt: more.startedAt })
    const answered = await sendWithRetry({ egress: port, clock }, { request, isIdempotent: true })
    return { answer: answered, prepared: anew }
  }

  async function runCall(
    port: Egress,
    trail: CallTrail,
    way: {
      readonly target: GatewayTarget
      readonly request: GatewayCall
      readonly caller: GatewayCaller
    },
  ): Promise<GatewayResponse> {
    const { target, request, caller } = way
    const { account, keyId = '' } = caller
    const { isIdempotent } = target.plan
    // Await only promises: each await costs as much as a check.
    const checking = checkKey(target, caller)
    const budget = checking instanceof Promise ? await checking : checking
    const taking = budget === undefined ? undefined : budgets.take(account, { keyId, budget })
    const day = taking instanceof Promise ? await taking : taking
    let prepared: PreparedCall
    try {
      // After the budget check, as an access token may have to be requested.
      const preparing = prepareCall(target, request, account)
      prepared = preparing instanceof Promise ? await preparing : preparing
      trail.pass = deps.guard.enter({ origin: prepared.origin, account })
    } catch (error) {
      if (day !== undefined) budgets.returnCall(account, { keyId, day })
      throw error
    }
    trail.origin = prepared.origin
    const startedAt = clock()
    const sending = { request: toEgressRequest(prepared, request), isIdempotent }
    const first = await sendWithRetry({ egress: port, clock }, sending)
    let sent: SentCall = { answer: first, prepared }
    if (refuseTokens(sent, account) && isIdempotent) {
      sent = await resend(port, sent, { target, request, account, startedAt })
    }
    const { call } = sent.prepared
    let { answer } = sent
    if (request.followRedirects) {
      answer = await followRedirects(
        { egress: port, guard: deps.guard, clock },
        {
          request: toEgressRequest(sent.prepared, request),
          portableHeaders: toPortableHeaders(toHeaderOptions(target.plan, request)),
          answer,
          isIdempotent,
          account,
          trail,
          startedAt,
        },
      )
    }
    if (answer !== first) refuseTokens({ ...sent, answer }, account)
    trail.pass.responded(answer.status, answer.headers)
    const { values, isRecorded } = request
    const recorder = isRecorded ? deps.recorder : undefined
    return passResponseBack(answer, { trail, account, target, call, values, recorder })
  }

  return async (request, caller) => {
    if (!egress && !request.isDryRun) throw createNoEgressError()
    const finding = targets.find(request.endpointId)
    const target = finding instanceof Promise ? await finding : finding
    if (!egress || request.isDryRun) {
      await checkKey(target, caller)
      const { call } = await prepareCall(target, { ...request, isDryRun: true }, caller.account)
      return createDryRunResponse(call, egress)
    }
    const trail = new CallTrail(deps, { target, caller })
    try {
      return await runCall(egress, trail, { target, request, caller })
    } catch (error) {
      trail.fail(error)
      if (error instanceof ServiceError || !request.signal?.aborted) throw error
      throw new ServiceError(
        'target_failed',
        'The caller closed the connection before the target responded',
      )
    }
  }
}

function createNoEgressError(): ServiceError {
  return new ServiceError(
    'not_implemented',
    'Cannot call endpoints: outgoing calls are disabled. Pass the "egress" option',
  )
}
