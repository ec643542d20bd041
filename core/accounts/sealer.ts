import { ServiceError } from '../errors.ts'
import type { Random } from '../ports/random.ts'
import type { SealContext, Sealer } from '../ports/sealer.ts'
import { fromBase64Url, toBase64Url } from '../shared/base64url.ts'
import { SECRET_BYTES } from './parse-secret.ts'

/** The service's secrets, each at least 32 random bytes. */
export interface Secrets {
  readonly current: Uint8Array
  /** Opens texts that were sealed before a rotation. */
  readonly previous?: Uint8Array | undefined
}

interface SealKey {
  /** Identifies the secret in a sealed text: 8 characters of base64url, derived from the secret. */
  readonly id: string
  readonly key: CryptoKey
}

const ENVELOPE = /^v1\.([\w-]{8})\.([\w-]{16})\.([\w-]+)$/
const IV_BYTES = 12

/**
 * Creates a sealer: AES-256-GCM with a random 96-bit IV and a key derived by HKDF-SHA-256. Version,
 * secret ID, purpose, account and record are authenticated. Throws a `RangeError` for a secret of
 * less than 32 bytes.
 *
 * @example
 * ```ts
 * import { createApiDiscovery, createSealer } from 'api-discovery'
 * import { openSecrets } from 'api-discovery/secret'
 *
 * const secrets = await openSecrets({ environment: process.env, file: 'apis.db.secret' })
 * const sealer = createSealer(secrets, (length) => crypto.getRandomValues(new Uint8Array(length)))
 * const app = createApiDiscovery({ storage, sealer })
 * ```
 */
export function createSealer(secrets: Secrets, random: Random): Sealer {
  for (const secret of [secrets.current, secrets.previous]) {
    if (secret && secret.length < SECRET_BYTES) {
      throw new RangeError(
        `Cannot use a secret of ${secret.length} bytes: it must have at least ${SECRET_BYTES}`,
      )
    }
  }
  let derived: Promise<readonly [SealKey, ...SealKey[]]> | undefined

  function deriveAll() {
    derived ??= Promise.all([
      deriveSealKey(secrets.current),
      ...(secrets.previous ? [deriveSealKey(secrets.previous)] : []),
    ])
    return derived
  }

  async function seal(text: string, context: SealContext): Promise<string> {
    const [{ id, key }] = await deriveAll()
    const iv = Uint8Array.from(random(IV_BYTES))
    const ciphertext = await crypto.subtle.encrypt(
      { name: 'AES-GCM', iv, additionalData: toAad(id, context) },
      key,
      new TextEncoder().encode(text),
    )
    return `v1.${id}.${toBase64Url(iv)}.${toBase64Url(new Uint8Array(ciphertext))}`
  }

  async function open(sealed: string, context: SealContext): Promise<string> {
    const [, id = '', ivText = '', ciphertextText = ''] = ENVELOPE.exec(sealed) ?? []
    const iv = fromBase64Url(ivText)
    const ciphertext = fromBase64Url(ciphertextText)
    if (id === '' || !iv || !ciphertext) throw createSealError('its format is unknown')
    const sealKey = (await deriveAll()).find((each) => each.id === id)
    if (!sealKey) throw createSealError(OTHER_SECRET)
    try {
      const plain = await crypto.subtle.decrypt(
        { name: 'AES-GCM', iv, additionalData: toAad(id, context) },
        sealKey.key,
        ciphertext,
      )
      return new TextDecoder().decode(plain)
    } catch {
      throw createSealError('it was changed or belongs to another record')
    }
  }

  return {
    seal,
    open,
    async rewrap(sealed, context) {
      const [{ id }] = await deriveAll()
      const text = await open(sealed, context)
      return sealed.startsWith(`v1.${id}.`) ? undefined : seal(text, context)
    },
  }
}

/**
 * Creates a test whether a text was sealed with one of these secrets, by the ID in the text.
 *
 * @example
 * ```ts
 * import { createSealTest } from 'api-discovery/accounts'
 * import { openSecrets } from 'api-discovery/secret'
 *
 * const isOwn = await createSealTest(
 *   await openSecrets({ environment: process.env, file: 'apis.db.secret' }),
 * )
 * const keys = await storage.accounts.listKeys(undefined)
 * if (keys.some(({ sealed }) => sealed !== '' && !isOwn(sealed))) console.warn('Another secret')
 * ```
 */
export async function createSealTest(secrets: Secrets): Promise<(sealed: string) => boolean> {
  const { current, previous } = secrets
  const keys = await Promise.all([current, previous ?? current].map(deriveSealKey))
  return (sealed) => keys.some(({ id }) => id === ENVELOPE.exec(sealed)?.[1])
}

async function deriveSealKey(secret: Uint8Array): Promise<SealKey> {
  const material = await crypto.subtle.importKey('raw', Uint8Array.from(secret), 'HKDF', false, [
    'deriveBits',
    'deriveKey',
  ])
  const key = await crypto.subtle.deriveKey(
    toHkdf('seal v1 key'),
    material,
    { name: 'AES-GCM', length: 256 },
    false,
    ['encrypt', 'decrypt'],
  )
  const id = await crypto.subtle.deriveBits(toHkdf('seal v1 id'), material, 48)
  return { id: toBase64Url(new Uint8Array(id)), key }
}

function toHkdf(info: string) {
  const encoder = new TextEncoder()
  return {
    name: 'HKDF',
    hash: 'SHA-256',
    salt: encoder.encode('api-discovery'),
    info: encoder.encode(info),
  }
}

function toAad(id: string, { purpose, accountId, recordId }: SealContext): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify(['v1', id, purpose, accountId, recordId]))
}

const OTHER_SECRET =
  'it was sealed with another secret. Restore the secret file that belongs to the database, or the earlier API_DISCOVERY_SECRET'

function createSealError(reason: string): ServiceError {
  return new ServiceError('internal', `Cannot open a sealed text: ${reason}`)
}

/** Stores no sealed copies. */
export const NO_SEALER: Sealer = {
  seal: async () => '',
  open: async () => '',
  rewrap: async () => undefined,
}
