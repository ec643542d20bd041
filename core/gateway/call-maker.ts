import type { AccountStore } from '../accounts/store.ts'
import type { CallValues, OutgoingCall } from '../calls/call.ts'
import type { CallMaker, EndpointCalls, MakerCaller, MakerOptions } from '../calls/call-maker.ts'
import { isOfOrigin } from '../calls/origins.ts'
import { ServiceError } from '../http/problems.ts'
import type { Clock } from '../ports.ts'
import { chain, type MaybePromise } from '../shared/maybe-promise.ts'
import type { Budgets } from './budgets.ts'
import type { CallCredentials, CredentialValues } from './credentials/credential-values.ts'
import type { Credentials } from './credentials/credentials.ts'
import { checkPolicy, type Policies } from './policies.ts'
import type { KeyPolicy } from './records.ts'
import { addHeaders } from './request-headers.ts'
import { createShortCache } from './short-cache.ts'
import type { Target, Targets } from './targets.ts'

/** Creates what makes calls for others than the gateway's callers: neither guard nor audit see them. */
export function createCallMaker(deps: {
  readonly targets: Targets
  readonly accounts: Pick<AccountStore, 'listKeys'>
  readonly policies: Pick<Policies, 'find'>
  readonly budgets: Pick<Budgets, 'take' | 'left'>
  readonly credentials: Pick<Credentials, 'find'>
  readonly credentialValues: CredentialValues
  readonly clock: Clock
  readonly userAgent: string
}): CallMaker {
  const { accounts, policies, budgets, credentials, credentialValues, clock, userAgent } = deps
  const inForce = createShortCache<boolean>(clock)

  async function isInForce({ account, keyId }: MakerCaller): Promise<boolean> {
    const key = (await accounts.listKeys(account)).find(({ id }) => id === keyId)
    // A host that authenticates on its own may give any.
    return (
      key === undefined || (key.revokedAt === undefined && clock() < (key.expiresAt ?? Infinity))
    )
  }

  /** What the key of a caller permits now; undefined where it has no policy. */
  async function permit(caller: MakerCaller, target: Target): Promise<KeyPolicy | undefined> {
    const { account, keyId } = caller
    if (keyId === undefined) return undefined
    if (!(await inForce.get(`${account.id} ${keyId}`, () => isInForce(caller)))) {
      throw new ServiceError(
        'call_not_permitted',
        'The key that asked for this is no longer in force: it was revoked or has expired',
      )
    }
    const policy = await policies.find(account, keyId)
    if (policy) checkPolicy(policy, target)
    return policy
  }

  function findCredentials(
    target: Target,
    call: {
      readonly caller: MakerCaller
      readonly values: CallValues
      readonly options: MakerOptions
      readonly origin: string
    },
  ): MaybePromise<CallCredentials> {
    const { account } = call.caller
    const { usesCredentials = false, isDryRun = false } = call.options
    // An answer to TRACE holds what was sent (RFC 9110 9.3.8).
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
      await permit(caller, target)
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
          // What was confirmed for one origin must not go to another one, whoever is mistaken.
          if (!isOfOrigin(call.url, origin)) {
            throw new ServiceError('internal', 'A call left its origin')
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
          const budget = (await permit(caller, target))?.dailyBudget
          if (keyId === undefined || budget === undefined) return
          await budgets.take(account, { keyId, budget })
        },
        async left() {
          const { account, keyId } = caller
          const budget = (await permit(caller, target))?.dailyBudget
          if (keyId === undefined || budget === undefined) return undefined
          return { left: await budgets.left(account, { keyId, budget }), budget }
        },
      }
    },
  }
}
