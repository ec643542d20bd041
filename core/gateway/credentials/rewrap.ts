import { ServiceError } from '../../errors.ts'
import type { Sealer } from '../../ports/sealer.ts'
import type { GatewayStore } from '../store.ts'
import { toSealContext } from './sealed-secrets.ts'

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
