import type { AccountStore } from '../accounts/store.ts'
import type { CallValues, OutgoingCall } from '../calls/call.ts'
import type { CallMaker, EndpointCalls, MakerCaller, MakerOptions } from '../calls/call-maker.ts'
import { isOfOrigin } from '../calls/origins.ts'
import { ServiceError } from '../errors.ts'
import type { Clock } from '../ports/clock.ts'
import { chain, type MaybePromise } from '../shared/maybe-promise.ts'
import type { Budgets } from './budgets.ts'
import type { CallCredentials, CredentialValues } from './credentials/credential-values.ts'
import type { Credentials } from './credentials/credentials.ts'
import { checkPolicy, type Policies } from './policies.ts'
import type { KeyPolicy } from './records.ts'
import { addHeaders } from './request-headers.ts'
import { createShortCache } from './short-cache.ts'
import type { GatewayTarget, GatewayTargets } from './targets.ts'

/** Creates the call maker for rate-limit tests. Its calls bypass guard and audit. */
export function createCallMaker(deps: {
  readonly targets: GatewayTargets
  readonly accounts: Pick<AccountStore, 'listKeys'>
  readonly policies: Pick<Policies, 'find'>
  readonly budgets: Pick<Budgets, 'take' | 'countLeft'>
  readonly credentials: Pick<Credentials, 'find'>
  readonly credentialValues: CredentialValues
  readonly clock: Clock
  readonly userAgent: string
}): CallMaker {
  const { accounts, policies, budgets, credentials, credentialValues, clock, userAgent } = deps
  const activeKeys = createShortCache<boolean>(clock)

  async function isKeyActive({ account, keyId }: MakerCaller): Promise<boolean> {
    const key = (await accounts.listKeys(account)).find(({ id }) => id === keyId)
    // A host that authenticates users itself may use other key IDs.
    return (
      key === undefined || (key.revokedAt === undefined && clock() < (key.expiresAt ?? Infinity))
    )
  }

  /** Throws unless the caller's key permits the call. Returns its policy, if it has one. */
  async function checkPermission(
    caller: MakerCaller,
    target: GatewayTarget,
  ): Promise<KeyPolicy | undefined> {
    const { account, keyId } = caller
    if (keyId === undefined) return undefined
    if (!(await activeKeys.get(`${account.id} ${keyId}`, () => isKeyActive(caller)))) {
      throw new ServiceError(
        'call_not_permitted',
        'The API key of this job was revoked or has expired',
      )
    }
    const policy = await policies.find(account, keyId)
    if (policy) checkPolicy(policy, target)
    return policy
  }

  function findCredentials(
    target: GatewayTarget,
    call: {
      readonly caller: MakerCaller
      readonly values: CallValues
      readonly options: MakerOptions
      readonly origin: string
    },
  ): MaybePromise<CallCredentials> {
    const { account } = call.caller
    const { usesCredentials = false, isDryRun = false } = call.options
    // A response to TRACE contains the request (RFC 9110 9.3.8).
    if (!usesCredentials || target.method === 'TRACE') return { values: [], tokens: [] }
    return chain(credentials.find(account, target), (stored) =>
      credentialValues.toValues(stored, {
        account,
        target,
        values: call.values,
        origin: call.origin,
        isDryRun,
      }),
    )
  }

  return {
    async find(endpointId, caller): Promise<EndpointCalls> {
      const target = await deps.targets.find(endpointId)
      await checkPermission(caller, target)
      const { plan } = target
      const build = (
        values: CallValues,
        options: MakerOptions = {},
      ): MaybePromise<OutgoingCall> => {
        const { server } = options
        const origin = plan.originOf(values, { server })
        const finding = findCredentials(target, { caller, values, options, origin })
        return chain(finding, (added) => {
          const call = plan.build(values, { server, credentials: added.values })
          // Safeguard: a credential must never be sent to another origin than the confirmed one.
          if (!isOfOrigin(call.url, origin)) {
            throw new ServiceError('internal', 'Cannot build the call: its URL has another origin')
          }
          const more = { caller: {}, accept: plan.accept, isPlain: true, userAgent }
          return { ...call, headers: addHeaders(call.headers, more) }
        })
      }
      return {
        endpoint: target.endpoint,
        method: target.method,
        originOf: plan.originOf,
        build,
        async take() {
          const { account, keyId } = caller
          const budget = (await checkPermission(caller, target))?.dailyBudget
          if (keyId === undefined || budget === undefined) return
          await budgets.take(account, { keyId, budget })
        },
        async left() {
          const { account, keyId } = caller
          const budget = (await checkPermission(caller, target))?.dailyBudget
          if (keyId === undefined || budget === undefined) return undefined
          return { left: await budgets.countLeft(account, { keyId, budget }), budget }
        },
      }
    },
  }
}
