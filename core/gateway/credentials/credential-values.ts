import type { CallValues, CredentialValue, SecretPlace } from '../../calls/call.ts'
import { ServiceError } from '../../http/problems.ts'
import type { Account } from '../../shared/account.ts'
import type { MaybePromise } from '../../shared/maybe-promise.ts'
import type { Target } from '../targets.ts'
import type { AccessTokens, UsedToken } from './access-tokens.ts'
import { chooseCredentials, isGiven, toPlace } from './choose-credentials.ts'
import type { OpenedCredential } from './credentials.ts'

/** What stored credentials add to a call. */
export interface CallCredentials {
  readonly values: readonly CredentialValue[]
  /** Access tokens among them, which a target may refuse. */
  readonly tokens: readonly UsedToken[]
}

/** Makes values of stored credentials. */
export interface CredentialValues {
  /**
   * What the credentials of an account add to a call to `origin`. Values that the caller gives win.
   * Throws or rejects with `origin_changed` where one is needed and was not confirmed for the
   * origin, and with `target_failed` where no access token is to be had.
   */
  toValues(
    credentials: readonly OpenedCredential[],
    call: {
      readonly account: Account
      readonly target: Target
      readonly values: CallValues
      readonly origin: string
      /** Nothing will be sent: no access token is asked for. */
      readonly isDryRun: boolean
    },
  ): MaybePromise<CallCredentials>
}

/** A credential that an endpoint takes. Its value is undefined where an access token is needed. */
interface Chosen {
  readonly credential: OpenedCredential
  readonly place: SecretPlace
  readonly value: CredentialValue | undefined
}

const NOTHING: CallCredentials = { values: [], tokens: [] }

/** Creates the values; what an endpoint takes is chosen once for each list of credentials. */
export function createCredentialValues(tokens: AccessTokens): CredentialValues {
  const known = new WeakMap<readonly OpenedCredential[], WeakMap<Target, readonly Chosen[]>>()

  function choose(credentials: readonly OpenedCredential[], target: Target): readonly Chosen[] {
    const byTarget = known.get(credentials) ?? new WeakMap<Target, readonly Chosen[]>()
    known.set(credentials, byTarget)
    const found = byTarget.get(target)
    if (found) return found
    const chosen = chooseCredentials(target, credentials).flatMap((credential) => {
      const place = toPlace(target.endpoint, credential)
      return place ? [{ credential, place, value: toValue(credential, place) }] : []
    })
    byTarget.set(target, chosen)
    return chosen
  }

  return {
    toValues(credentials, call) {
      if (credentials.length === 0) return NOTHING
      const { account, target, origin, isDryRun } = call
      const values: CredentialValue[] = []
      const wanted: Chosen[] = []
      for (const chosen of choose(credentials, target)) {
        const isConfirmed = chosen.credential.origins.includes(origin)
        const isNeeded = isConfirmed && chosen.value ? true : !isGiven(call.values, chosen.place)
        if (!isNeeded) continue
        if (!isConfirmed) throw toOriginChanged(chosen.credential, origin)
        if (chosen.value) values.push(chosen.value)
        else wanted.push(chosen)
      }
      if (wanted.length === 0) return { values, tokens: [] }
      if (isDryRun) {
        const shown = wanted.map(({ place }) => ({ ...place, value: 'Bearer access-token' }))
        return { values: [...values, ...shown], tokens: [] }
      }
      return addTokens(tokens, { account, values, wanted })
    },
  }
}

async function addTokens(
  tokens: AccessTokens,
  call: {
    readonly account: Account
    readonly values: readonly CredentialValue[]
    readonly wanted: readonly Chosen[]
  },
): Promise<CallCredentials> {
  const values = [...call.values]
  const used: UsedToken[] = []
  for (const { credential, place } of call.wanted) {
    const token = await tokens.get(call.account, credential)
    values.push({ ...place, value: `Bearer ${token}` })
    used.push({ credential, token })
  }
  return { values, tokens: used }
}

function toValue(
  { kind, secret }: OpenedCredential,
  place: SecretPlace,
): CredentialValue | undefined {
  if (kind === 'OAuth2') return undefined
  if (kind === 'bearer') return { ...place, value: `Bearer ${secret.value}` }
  if (kind !== 'BasicAuth') return { ...place, value: secret.value }
  // RFC 7617 2.1: UTF-8.
  const bytes = new TextEncoder().encode(`${secret.user}:${secret.value}`)
  return { ...place, value: `Basic ${btoa(String.fromCharCode(...bytes))}` }
}

function toOriginChanged({ id, origins }: OpenedCredential, origin: string): ServiceError {
  return new ServiceError(
    'origin_changed',
    `Cannot send the stored credential to ${origin}: the account confirmed ${origins.join(', ') || 'no origin'}; store it again to confirm the new origin`,
    { extra: { credential_id: id, origin, confirmed_origins: origins } },
  )
}
