import { ServiceError } from '../../errors.ts'
import type { Clock } from '../../ports/clock.ts'
import type { SealContext, Sealer } from '../../ports/sealer.ts'
import type { Account } from '../../shared/account.ts'
import { createBoundedMap } from '../../shared/bounded-map.ts'
import type { MaybePromise } from '../../shared/maybe-promise.ts'
import type { Credential } from '../records.ts'
import type { GatewayStore } from '../store.ts'
import type { CredentialSecret } from './credential-request.ts'

/** Seals and opens the secret parts of credentials. */
export interface SealedSecrets {
  seal(account: Account, credentialId: string, secret: CredentialSecret): Promise<string>
  /** Opened secrets are cached in memory for at most a minute, at most 1,000 of them. */
  open(
    account: Account,
    credential: Pick<Credential, 'id' | 'sealed'>,
  ): MaybePromise<CredentialSecret>
}

const CACHE_MS = 60_000
const MAX_CACHED = 1000

/** Binds a sealed text to its account and credential. */
function toSealContext(account: Pick<Account, 'id'>, credentialId: string): SealContext {
  return { purpose: 'gateway-credential', accountId: account.id, recordId: credentialId }
}

/** Creates the sealer of credentials on top of the host's sealer. */
export function createSealedSecrets(sealer: Sealer, clock: Clock): SealedSecrets {
  /** By account, credential and sealed text: a text moved to another record must not open. */
  const opened = createBoundedMap<string, { secret: CredentialSecret; until: number }>(MAX_CACHED)

  async function openAndCache(
    key: string,
    at: { readonly sealed: string; readonly context: SealContext },
  ): Promise<CredentialSecret> {
    const secret = JSON.parse(await sealer.open(at.sealed, at.context)) as CredentialSecret
    const now = clock()
    for (const [oldKey, { until }] of [...opened.entries()]) {
      if (until > now) break
      opened.delete(oldKey)
    }
    opened.set(key, { secret, until: now + CACHE_MS })
    return secret
  }

  return {
    seal: (account, credentialId, secret) =>
      sealer.seal(JSON.stringify(secret), toSealContext(account, credentialId)),

    open(account, { id, sealed }) {
      const key = `${account.id} ${id} ${sealed}`
      const known = opened.get(key)
      if (known && clock() < known.until && clock() >= known.until - CACHE_MS) return known.secret
      return openAndCache(key, { sealed, context: toSealContext(account, id) })
    },
  }
}

/** Rewraps API keys and credentials; see `rewrapCredentials`. */
export async function rewrapAll(deps: {
  readonly store: Pick<GatewayStore, 'listSealedCredentials' | 'replaceSealed'>
  readonly sealer: Sealer
  readonly rewrapKeys: () => ReturnType<typeof rewrapCredentials>
}): ReturnType<typeof rewrapCredentials> {
  const keys = await deps.rewrapKeys()
  const credentials = await rewrapCredentials(deps)
  return {
    rewrapped: keys.rewrapped + credentials.rewrapped,
    failed: [...keys.failed, ...credentials.failed],
  }
}

/**
 * Seals all credentials again that aren't sealed with the current secret. Returns how many were
 * resealed, and the IDs of those that cannot be opened. Safe to repeat, and safe while accounts
 * store credentials.
 */
export async function rewrapCredentials(deps: {
  readonly store: Pick<GatewayStore, 'listSealedCredentials' | 'replaceSealed'>
  readonly sealer: Sealer
}): Promise<{ readonly rewrapped: number; readonly failed: readonly string[] }> {
  const { store, sealer } = deps
  const failed: string[] = []
  let rewrapped = 0
  for (const { accountId, id, sealed: from } of await store.listSealedCredentials()) {
    const account = { id: accountId }
    try {
      const to = await sealer.rewrap(from, toSealContext(account, id))
      if (to !== undefined && (await store.replaceSealed(account, id, { from, to }))) rewrapped += 1
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'internal') throw error
      failed.push(id)
    }
  }
  return { rewrapped, failed }
}
