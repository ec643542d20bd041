import { randomBytes } from 'node:crypto'
import { link, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import process from 'node:process'
import { parseSecret, SECRET_BYTES, SECRET_RULE } from '../../core/accounts/parse-secret.ts'
import type { Secrets } from '../../core/accounts/sealer.ts'

export { createScryptHasher, type ScryptOptions } from './scrypt.ts'

/** The service's secrets and their source. */
export interface FoundSecrets extends Secrets {
  readonly origin: 'option' | 'environment' | 'file' | 'generated'
}

/** Sources of the secret, in order of precedence. */
export interface SecretSources {
  /** The secret itself, in hex or base64. */
  readonly option?: string | undefined
  /** `API_DISCOVERY_SECRET`, and `API_DISCOVERY_PREVIOUS_SECRET` during a rotation. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Read, or generated if it does not exist. */
  readonly file: string
}

const MODE = 0o600
const MAX_BYTES = 4096
const WINDOWS = process.platform === 'win32'

/**
 * Returns the secret file of a database file: the same name with `.secret` appended.
 *
 * @example
 * ```ts
 * import { toSecretFile } from 'api-discovery/secret'
 *
 * toSecretFile('apis.db') // 'apis.db.secret'
 * ```
 */
export function toSecretFile(databaseFile: string): string {
  return `${databaseFile}.secret`
}

/**
 * Finds the service's secret, or generates one in a file that only its owner can read. Processes
 * that start at the same time agree on one. Throws an `Error` if a secret is too short, or if the
 * file is unreadable or accessible to others. It names the source or file: show it to the operator
 * only.
 *
 * @example
 * ```ts
 * import { openSecrets, toSecretFile } from 'api-discovery/secret'
 *
 * const file = toSecretFile('apis.db')
 * const secrets = await openSecrets({ environment: process.env, file })
 * if (secrets.origin === 'generated') console.log(`Created ${file}: include it in backups`)
 * ```
 */
export async function openSecrets(sources: SecretSources): Promise<FoundSecrets> {
  const { option, environment, file } = sources
  if (option) return { current: parseNamedSecret(option, 'the secret option'), origin: 'option' }
  const { API_DISCOVERY_SECRET: current, API_DISCOVERY_PREVIOUS_SECRET: previous } = environment
  if (current) {
    return {
      current: parseNamedSecret(current, 'API_DISCOVERY_SECRET'),
      previous: previous ? parseNamedSecret(previous, 'API_DISCOVERY_PREVIOUS_SECRET') : undefined,
      origin: 'environment',
    }
  }
  const stored = await readSecretFile(file)
  if (stored) return { ...stored, origin: 'file' }
  const isOurs = await createSecretFile(file)
  const created = await readSecretFile(file)
  if (created) return { ...created, origin: isOurs ? 'generated' : 'file' }
  throw new Error(`Cannot read the secret file ${file}: it was removed after its creation`)
}

/**
 * Atomically replaces the secret in the file, and stores the old one as previous. Resumes an
 * unfinished rotation. Call `rewrapSecrets` and then `finishRotation` afterwards. Throws if the
 * file does not exist.
 *
 * @example
 * ```ts
 * import { createApiDiscovery, createSealer } from 'api-discovery'
 * import { beginRotation, finishRotation } from 'api-discovery/secret'
 *
 * const secrets = await beginRotation('apis.db.secret')
 * const sealer = createSealer(secrets, (length) => crypto.getRandomValues(new Uint8Array(length)))
 * const app = createApiDiscovery({ storage, sealer })
 * const { failed } = await app.accounts.rewrapSecrets()
 * if (failed.length === 0) await finishRotation('apis.db.secret')
 * ```
 */
export async function beginRotation(file: string): Promise<Secrets> {
  const stored = await readSecretFile(file)
  if (!stored) throw new Error(`Cannot rotate the secret file ${file}: file not found`)
  if (stored.previous) return stored
  const rotated = { current: Uint8Array.from(randomBytes(SECRET_BYTES)), previous: stored.current }
  await replaceSecretFile(file, rotated)
  return rotated
}

/**
 * Removes the previous secret from the file. Call it once nothing is sealed with it any more.
 * Resolves with false if no rotation was in progress.
 *
 * @example
 * ```ts
 * import { finishRotation, toSecretFile } from 'api-discovery/secret'
 *
 * const { failed } = await app.accounts.rewrapSecrets()
 * if (failed.length === 0) await finishRotation(toSecretFile('apis.db'))
 * ```
 */
export async function finishRotation(file: string): Promise<boolean> {
  const stored = await readSecretFile(file)
  if (!stored?.previous) return false
  await replaceSecretFile(file, { current: stored.current })
  return true
}

async function readSecretFile(file: string): Promise<Secrets | undefined> {
  const text = await readPrivateFile(file)
  if (text === undefined) return undefined
  const [current, previous, ...rest] = text.split(/\r?\n/).filter((line) => line !== '')
  if (current === undefined || rest.length > 0) {
    throw new Error(
      `Cannot use the secret file ${file}: it must contain one line, or two during a rotation`,
    )
  }
  const name = `the secret file ${file}`
  return {
    current: parseNamedSecret(current, name),
    previous: previous === undefined ? undefined : parseNamedSecret(previous, name),
  }
}

/** Returns undefined if the file does not exist. */
async function readPrivateFile(file: string): Promise<string | undefined> {
  const handle = await open(file, 'r').catch((error: unknown) => {
    if (getErrorCode(error) === 'ENOENT') return undefined
    throw new Error(`Cannot read the secret file ${file}: ${describeSystemError(error)}`)
  })
  if (!handle) return undefined
  try {
    const stats = await handle.stat()
    if (!stats.isFile()) throw new Error(`Cannot read the secret file ${file}: it is not a file`)
    if (!WINDOWS && (stats.mode & 0o077) !== 0) {
      const mode = (stats.mode & 0o777).toString(8).padStart(4, '0')
      throw new Error(
        `Cannot use the secret file ${file}: its mode is ${mode}, it must be 0600 (chmod 600)`,
      )
    }
    if (stats.size > MAX_BYTES)
      throw new Error(`Cannot use the secret file ${file}: it is too long`)
    return await handle.readFile('utf8')
  } finally {
    await handle.close()
  }
}

/** Returns false if another process created the file first. */
async function createSecretFile(file: string): Promise<boolean> {
  const temporary = await writeTemporaryFile(file, { current: randomBytes(SECRET_BYTES) })
  try {
    // Unlike a rename, a link fails if the file exists. The file is never visible half-written.
    await link(temporary, file)
    await syncDirectory(file)
    return true
  } catch (error) {
    if (getErrorCode(error) === 'EEXIST') return false
    throw new Error(`Cannot create the secret file ${file}: ${describeSystemError(error)}`)
  } finally {
    await rm(temporary, { force: true })
  }
}

async function replaceSecretFile(file: string, secrets: Secrets): Promise<void> {
  const temporary = await writeTemporaryFile(file, secrets)
  try {
    await rename(temporary, file)
    await syncDirectory(file)
  } finally {
    await rm(temporary, { force: true })
  }
}

/** Writes the secrets to a temporary file in the same folder, synced to disk. Returns its path. */
async function writeTemporaryFile(file: string, { current, previous }: Secrets): Promise<string> {
  const temporary = `${file}.${randomBytes(8).toString('hex')}.tmp`
  const handle = await open(temporary, 'wx', MODE).catch((error: unknown) => {
    throw new Error(
      `Cannot create a temporary file for the secret file ${file}: ${describeSystemError(error)}`,
    )
  })
  try {
    const lines = [current, ...(previous ? [previous] : [])].map(toSecretLine)
    await handle.writeFile(lines.join(''))
    await handle.sync()
  } catch (error) {
    await rm(temporary, { force: true })
    throw new Error(
      `Cannot create a temporary file for the secret file ${file}: ${describeSystemError(error)}`,
    )
  } finally {
    await handle.close()
  }
  return temporary
}

/** Makes the new name survive a power failure. Windows cannot open a directory. */
async function syncDirectory(file: string): Promise<void> {
  if (WINDOWS) return
  const handle = await open(dirname(file), 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

function toSecretLine(secret: Uint8Array): string {
  return `${Buffer.from(secret).toString('base64url')}\n`
}

function parseNamedSecret(text: string, source: string): Uint8Array {
  const secret = parseSecret(text.trim())
  if (secret) return secret
  throw new Error(`Cannot use ${source}: ${SECRET_RULE}`)
}

/** Describes a system error. */
function describeSystemError(error: unknown): string {
  const code = getErrorCode(error)
  return REASONS.get(code) ?? code
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ['EACCES', 'permission denied'],
  ['EPERM', 'permission denied'],
  ['EROFS', 'the file system is read-only'],
  ['ENOENT', 'the folder does not exist'],
  ['ENOTDIR', 'a part of its path is not a folder'],
  ['ENOSPC', 'the disk is full'],
])

function getErrorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
}
