import type { CallValues, OutgoingCall } from '../calls/call.ts'
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
import type { CredentialValues } from './credentials/credential-values.ts'
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
  /** See `Caller.client`. */
  readonly client?: string | undefined
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

/** A call with its endpoint and caller. */
interface TargetedCall {
  readonly target: GatewayTarget
  readonly request: GatewayCall
  readonly caller: GatewayCaller
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
  const { egress, targets, policies, budgets, tokens, guard, clock } = deps
  const limits = deps.totalMs === undefined ? undefined : { totalMs: deps.totalMs }

  function toEgressRequest({ call }: PreparedCall, { signal }: GatewayCall): EgressRequest {
    const { method, url, headers, body } = call
    return { method, url, headers, body, signal, limits }
  }

  async function resend(
    port: Egress,
    { answer }: SentCall,
    { startedAt, ...targeted }: TargetedCall & { readonly startedAt: number },
  ): Promise<SentCall> {
    answer.discard()
    const prepared = await prepareCall(deps, targeted)
    const whole = toEgressRequest(prepared, targeted.request)
    const request = limitToRemainingTime(whole, { egress: port, clock, startedAt })
    const answered = await sendWithRetry({ egress: port, clock }, { request, isIdempotent: true })
    return { answer: answered, prepared }
  }

  async function runCall(
    port: Egress,
    trail: CallTrail,
    targeted: TargetedCall,
  ): Promise<GatewayResponse> {
    const { target, request, caller } = targeted
    const { account, keyId = '' } = caller
    const { isIdempotent } = target.plan
    // Await only promises: each await costs as much as a check.
    const checking = checkKey(policies, targeted)
    const budget = checking instanceof Promise ? await checking : checking
    const taking = budget === undefined ? undefined : budgets.take(account, { keyId, budget })
    const day = taking instanceof Promise ? await taking : taking
    let prepared: PreparedCall
    try {
      // After the budget check, as an access token may have to be requested.
      const preparing = prepareCall(deps, targeted)
      prepared = preparing instanceof Promise ? await preparing : preparing
      trail.pass = guard.enter({ origin: prepared.origin, account })
    } catch (error) {
      if (day !== undefined) budgets.returnCall(account, { keyId, day })
      throw error
    }
    trail.origin = prepared.origin
    const startedAt = clock()
    const sending = { request: toEgressRequest(prepared, request), isIdempotent }
    const first = await sendWithRetry({ egress: port, clock }, sending)
    let sent: SentCall = { answer: first, prepared }
    if (refuseTokens(tokens, { sent, account }) && isIdempotent) {
      sent = await resend(port, sent, { ...targeted, startedAt })
    }
    const { call } = sent.prepared
    let { answer } = sent
    if (request.followRedirects) {
      answer = await followRedirects(
        { egress: port, guard, clock },
        {
          request: toEgressRequest(sent.prepared, request),
          portableHeaders: toPortableHeaders(toHeaderOptions(targeted, deps.userAgent)),
          answer,
          isIdempotent,
          account,
          trail,
          startedAt,
        },
      )
    }
    if (answer !== first) refuseTokens(tokens, { sent: { ...sent, answer }, account })
    trail.pass.responded(answer.status, answer.headers)
    const { values, isRecorded } = request
    const recorder = isRecorded ? deps.recorder : undefined
    return passResponseBack(answer, { trail, account, target, call, values, recorder })
  }

  return async (request, caller) => {
    if (!egress && !request.isDryRun) throw createNoEgressError()
    const finding = targets.find(request.endpointId)
    const target = finding instanceof Promise ? await finding : finding
    const targeted = { target, request, caller }
    if (!egress || request.isDryRun) {
      await checkKey(policies, targeted)
      const { call } = await prepareCall(deps, targeted)
      return createDryRunResponse(call, egress)
    }
    const trail = new CallTrail(deps, targeted)
    try {
      return await runCall(egress, trail, targeted)
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

function prepareCall(
  deps: Pick<CallServiceDeps, 'credentials' | 'credentialValues' | 'userAgent'>,
  targeted: TargetedCall,
): MaybePromise<PreparedCall> {
  const { target, request, caller } = targeted
  const { account } = caller
  const { plan } = target
  const { values, server, isDryRun = false } = request
  // A response to TRACE contains the request (RFC 9110 9.3.8).
  const found = target.method === 'TRACE' ? [] : deps.credentials.find(account, target)
  return chain(found, (stored) => {
    const origin = plan.originOf(values, { server })
    const way = { account, target, values, origin, isDryRun }
    return chain(deps.credentialValues.toValues(stored, way), (added) => {
      const call = plan.build(values, { server, credentials: added.values })
      // Safeguard: a credential must never be sent to another origin than the confirmed one.
      if (!isOfOrigin(call.url, origin))
        throw new ServiceError('internal', 'A call left its origin')
      const headers = addHeaders(call.headers, toHeaderOptions(targeted, deps.userAgent))
      return { call: { ...call, headers }, origin, tokens: added.tokens }
    })
  })
}

function toHeaderOptions({ target, request }: TargetedCall, userAgent: string): HeaderOptions {
  const { accept } = target.plan
  // The recorder needs a body without content encoding.
  return { caller: request, accept, isPlain: request.isRecorded === true, userAgent }
}

/** Checks the policy of the key. Returns its daily budget; undefined if it has none. */
function checkKey(
  policies: CallServiceDeps['policies'],
  { target, caller }: TargetedCall,
): MaybePromise<number | undefined> {
  const { account, keyId } = caller
  if (keyId === undefined) return undefined
  return chain(policies.find(account, keyId), (policy) => {
    if (policy) checkPolicy(policy, target)
    return policy?.dailyBudget
  })
}

/**
 * Reports a refused access token, which may happen before it expires. Returns true if a retry is
 * useful.
 */
function refuseTokens(
  tokens: CallServiceDeps['tokens'],
  { sent, account }: { readonly sent: SentCall; readonly account: Account },
): boolean {
  const { answer, prepared } = sent
  // No token is sent to another origin after a redirect.
  if (answer.status !== 401 || !isOfOrigin(answer.url, prepared.origin)) return false
  const isWorthIt = prepared.tokens.map((used) => tokens.reportRefused(account, used))
  return isWorthIt.includes(true)
}
