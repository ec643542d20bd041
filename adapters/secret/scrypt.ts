import { Buffer } from 'node:buffer'
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { ServiceError } from '../../core/errors.ts'
import type { PasswordHasher } from '../../core/ports/passwords.ts'

/** Cost and concurrency of hashing. */
export interface ScryptOptions {
  /** Binary logarithm of N; default 17, which uses 128 MiB per running hash. */
  readonly costLog2?: number
  /** Maximum number of concurrent hashes; default 2. */
  readonly concurrency?: number
  /** Maximum number of queued hashes, and as many preferred ones; default 32. */
  readonly maxWaiting?: number
}

/** Parameters of a key derivation. */
interface Recipe {
  readonly ln: number
  readonly r: number
  readonly p: number
  readonly salt: Buffer
  readonly keyBytes: number
}

const SALT_BYTES = 16
const KEY_BYTES = 32
const R = 8
const P = 1
const PHC =
  /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,86})$/

/**
 * Creates a password hasher with scrypt (RFC 7914), N = 2^17, r = 8, p = 1, in the PHC string
 * format.
 *
 * At most two hashes run at a time, off the event loop. If the queue is full, preferred or not, it
 * rejects with `overloaded`. A string that is no such hash, or costs more than 64 times as much,
 * matches no password.
 *
 * @example
 * ```ts
 * import { createApiDiscovery } from 'api-discovery'
 * import { createScryptHasher } from 'api-discovery/secret'
 *
 * const app = createApiDiscovery({ storage, passwords: createScryptHasher() })
 * const account = await app.accounts.createAccount('me')
 * const invited = await app.users.invite({ account, scopes: ['read'] })
 * ```
 */
export function createScryptHasher(options: ScryptOptions = {}): PasswordHasher {
  const { costLog2 = 17, concurrency = 2, maxWaiting = 32 } = options
  const enqueue = createQueue(concurrency, maxWaiting)
  const newRecipe = (): Recipe => ({
    ln: costLog2,
    r: R,
    p: P,
    salt: randomBytes(SALT_BYTES),
    keyBytes: KEY_BYTES,
  })
  const costOf = ({ ln, r, p }: Recipe) => 2 ** ln * r * p
  const cost = 2 ** costLog2 * R * P

  const createWorker = (isPreferred: boolean): Pick<PasswordHasher, 'hash' | 'verify'> => ({
    async hash(password) {
      const recipe = newRecipe()
      const key = await enqueue(() => deriveKey(password, recipe), isPreferred)
      const { ln, r, p, salt } = recipe
      return `$scrypt$ln=${ln},r=${r},p=${p}$${toPhcBase64(salt)}$${toPhcBase64(key)}`
    },
    async verify(password, hash) {
      const parsed = parseHash(hash)
      const isUsable = parsed !== undefined && costOf(parsed.recipe) <= 64 * cost
      const recipe = isUsable ? parsed.recipe : newRecipe()
      const key = await enqueue(() => deriveKey(password, recipe), isPreferred)
      return isUsable && timingSafeEqual(key, parsed.key)
    },
  })

  return {
    ...createWorker(false),
    preferred: createWorker(true),
    isOutdated(hash) {
      const parsed = parseHash(hash)
      return parsed !== undefined && costOf(parsed.recipe) < cost
    },
  }
}

function parseHash(hash: string): { readonly recipe: Recipe; readonly key: Buffer } | undefined {
  const found = PHC.exec(hash)
  if (!found) return undefined
  const [, ln = '', r = '', p = '', saltText = '', keyText = ''] = found
  const [salt, key] = [Buffer.from(saltText, 'base64'), Buffer.from(keyText, 'base64')]
  const recipe = { ln: Number(ln), r: Number(r), p: Number(p), salt, keyBytes: key.length }
  return recipe.ln > 0 && recipe.r > 0 && recipe.p > 0 ? { recipe, key } : undefined
}

function deriveKey(password: string, { ln, r, p, salt, keyBytes }: Recipe): Promise<Buffer> {
  const N = 2 ** ln
  // The memory of scrypt, doubled: implementations differ in what they count.
  const maxmem = 256 * (N + p) * r
  return new Promise((resolve, reject) => {
    scrypt(password, salt, keyBytes, { N, r, p, maxmem }, (error, key) => {
      if (error) reject(error)
      else resolve(key)
    })
  })
}

/** Encodes bytes as Base64 without padding, as in the PHC format. */
function toPhcBase64(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}

/** Limits concurrency, with a bounded queue for each priority. Preferred work runs first. */
function createQueue(concurrency: number, maxWaiting: number) {
  const preferred: (() => void)[] = []
  const others: (() => void)[] = []
  let running = 0
  return async <T>(work: () => Promise<T>, isPreferred: boolean): Promise<T> => {
    if (running >= concurrency) {
      const waiting = isPreferred ? preferred : others
      if (waiting.length >= maxWaiting) throw createPasswordOverloadedError()
      await new Promise<void>((resolve) => waiting.push(resolve))
    } else running += 1
    try {
      return await work()
    } finally {
      // The next in the queue takes over the slot.
      const next = preferred.shift() ?? others.shift()
      if (next) next()
      else running -= 1
    }
  }
}

function createPasswordOverloadedError(): ServiceError {
  return new ServiceError(
    'overloaded',
    'Cannot check the password: too many checks are running. Try again',
    {
      retryAfter: 5,
    },
  )
}
