import type { CallValues, CredentialValue, SecretPosition } from '../../calls/call.ts'
import { ServiceError } from '../../errors.ts'
import type { Account } from '../../shared/account.ts'
import type { MaybePromise } from '../../shared/maybe-promise.ts'
import type { GatewayTarget } from '../targets.ts'
import type { AccessTokens, UsedToken } from './access-tokens.ts'
import { chooseCredentials, findSecretLocation, isPassedByCaller } from './choose-credentials.ts'
import type { OpenedCredential } from './credentials.ts'

/** The values that stored credentials add to a call. */
export interface CallCredentials {
  readonly values: readonly CredentialValue[]
  /** The access tokens among them: a target may refuse them. */
  readonly tokens: readonly UsedToken[]
}

/** Converts stored credentials to values of a call. */
export interface CredentialValues {
  /**
   * Returns the values that an account's credentials add to a call to `origin`. Values of the
   * caller take precedence. Throws or rejects with `origin_changed` if a required credential isn't
   * confirmed for the origin, and with `target_failed` if no access token is available.
   */
  toValues(
    credentials: readonly OpenedCredential[],
    call: {
      readonly account: Account
      readonly target: GatewayTarget
      readonly values: CallValues
      readonly origin: string
      /** True if nothing will be sent: no access token is requested. */
      readonly isDryRun: boolean
    },
  ): MaybePromise<CallCredentials>
}

/** A selected credential. Its value is undefined if it needs an access token. */
interface SelectedCredential {
  readonly credential: OpenedCredential
  readonly place: SecretPosition
  readonly value: CredentialValue | undefined
}

const NO_CREDENTIALS: CallCredentials = { values: [], tokens: [] }

/** Creates the converter. The selection for an endpoint is cached per list of credentials. */
export function createCredentialValues(tokens: AccessTokens): CredentialValues {
  const known = new WeakMap<
    readonly OpenedCredential[],
    WeakMap<GatewayTarget, readonly SelectedCredential[]>
  >()

  function selectCached(
    credentials: readonly OpenedCredential[],
    target: GatewayTarget,
  ): readonly SelectedCredential[] {
    const byTarget =
      known.get(credentials) ?? new WeakMap<GatewayTarget, readonly SelectedCredential[]>()
    known.set(credentials, byTarget)
    const found = byTarget.get(target)
    if (found) return found
    const chosen = chooseCredentials(target, credentials).flatMap((credential) => {
      const place = findSecretLocation(target.endpoint, credential)
      return place ? [{ credential, place, value: toCredentialValue(credential, place) }] : []
    })
    byTarget.set(target, chosen)
    return chosen
  }

  return {
    toValues(credentials, call) {
      if (credentials.length === 0) return NO_CREDENTIALS
      const { account, target, origin, isDryRun } = call
      const values: CredentialValue[] = []
      const wanted: SelectedCredential[] = []
      for (const chosen of selectCached(credentials, target)) {
        const isConfirmed = chosen.credential.origins.includes(origin)
        const isNeeded =
          isConfirmed && chosen.value ? true : !isPassedByCaller(call.values, chosen.place)
        if (!isNeeded) continue
        if (!isConfirmed) throw createOriginChangedError(chosen.credential, origin)
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
    readonly wanted: readonly SelectedCredential[]
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

function toCredentialValue(
  { kind, secret }: OpenedCredential,
  place: SecretPosition,
): CredentialValue | undefined {
  if (kind === 'OAuth2') return undefined
  if (kind === 'bearer') return { ...place, value: `Bearer ${secret.value}` }
  if (kind !== 'BasicAuth') return { ...place, value: secret.value }
  // UTF-8 (RFC 7617 2.1).
  const bytes = new TextEncoder().encode(`${secret.user}:${secret.value}`)
  return { ...place, value: `Basic ${btoa(String.fromCharCode(...bytes))}` }
}

function createOriginChangedError({ id, origins }: OpenedCredential, origin: string): ServiceError {
  return new ServiceError(
    'origin_changed',
    `Cannot send the stored credential to ${origin}: it is confirmed for ${origins.join(', ') || 'no origin'}. Store it again to confirm the new origin`,
    { extra: { credential_id: id, origin, confirmed_origins: origins } },
  )
}
