import { randomBytes } from 'node:crypto'
import { link, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import process from 'node:process'
import type { Secrets } from '../../core/accounts/seal.ts'
import { parseSecret, SECRET_BYTES, SECRET_RULE } from '../../core/accounts/secret.ts'

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

/** Returns the secret file of a database file: the same name with `.secret` appended. */
export function toSecretFile(databaseFile: string): string {
  return `${databaseFile}.secret`
}

/**
 * Finds the service's secret, or generates one in a file that only its owner can read. Processes
 * that start at the same time agree on one. Throws an `Error` if a secret is too short, or if the
 * file is unreadable or accessible to others. It names the source or file: show it to the operator
 * only.
 */
export async function openSecrets(sources: SecretSources): Promise<FoundSecrets> {
  const { option, environment, file } = sources
  if (option) return { current: parse(option, 'the secret option'), origin: 'option' }
  const { API_DISCOVERY_SECRET: current, API_DISCOVERY_PREVIOUS_SECRET: previous } = environment
  if (current) {
    return {
      current: parse(current, 'API_DISCOVERY_SECRET'),
      previous: previous ? parse(previous, 'API_DISCOVERY_PREVIOUS_SECRET') : undefined,
      origin: 'environment',
    }
  }
  const kept = await readSecretFile(file)
  if (kept) return { ...kept, origin: 'file' }
  const isOurs = await createSecretFile(file)
  const made = await readSecretFile(file)
  if (made) return { ...made, origin: isOurs ? 'generated' : 'file' }
  throw new Error(`Cannot read the secret file ${file}: it was removed after its creation`)
}

/**
 * Atomically replaces the secret in the file, and stores the old one as previous. Resumes an
 * unfinished rotation. Call `rewrapSecrets` and then `finishRotation` afterwards. Throws if the
 * file does not exist.
 */
export async function beginRotation(file: string): Promise<Secrets> {
  const kept = await readSecretFile(file)
  if (!kept) throw new Error(`Cannot rotate the secret file ${file}: file not found`)
  if (kept.previous) return kept
  const rotated = { current: Uint8Array.from(randomBytes(SECRET_BYTES)), previous: kept.current }
  await replaceSecretFile(file, rotated)
  return rotated
}

/** Removes the previous secret from the file. Call it once nothing is sealed with it any more. */
export async function finishRotation(file: string): Promise<void> {
  const kept = await readSecretFile(file)
  if (kept?.previous) await replaceSecretFile(file, { current: kept.current })
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
    current: parse(current, name),
    previous: previous === undefined ? undefined : parse(previous, name),
  }
}

/** Returns undefined if the file does not exist. */
async function readPrivateFile(file: string): Promise<string | undefined> {
  const handle = await open(file, 'r').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined
    throw new Error(`Cannot read the secret file ${file}: ${reasonOf(error)}`)
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
  const draft = await writeDraft(file, { current: randomBytes(SECRET_BYTES) })
  try {
    // Unlike a rename, a link fails if the file exists. The file is never visible half-written.
    await link(draft, file)
    await syncDirectory(file)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw new Error(`Cannot create the secret file ${file}: ${reasonOf(error)}`)
  } finally {
    await rm(draft, { force: true })
  }
}

async function replaceSecretFile(file: string, secrets: Secrets): Promise<void> {
  const draft = await writeDraft(file, secrets)
  try {
    await rename(draft, file)
    await syncDirectory(file)
  } finally {
    await rm(draft, { force: true })
  }
}

/** Writes the secrets to a temporary file in the same folder, synced to disk. Returns its path. */
async function writeDraft(file: string, { current, previous }: Secrets): Promise<string> {
  const draft = `${file}.${randomBytes(8).toString('hex')}.tmp`
  const handle = await open(draft, 'wx', MODE).catch((error: unknown) => {
    throw new Error(
      `Cannot create a temporary file for the secret file ${file}: ${reasonOf(error)}`,
    )
  })
  try {
    const lines = [current, ...(previous ? [previous] : [])].map(toLine)
    await handle.writeFile(lines.join(''))
    await handle.sync()
  } catch (error) {
    await rm(draft, { force: true })
    throw new Error(
      `Cannot create a temporary file for the secret file ${file}: ${reasonOf(error)}`,
    )
  } finally {
    await handle.close()
  }
  return draft
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

function toLine(secret: Uint8Array): string {
  return `${Buffer.from(secret).toString('base64url')}\n`
}

function parse(text: string, source: string): Uint8Array {
  const secret = parseSecret(text.trim())
  if (secret) return secret
  throw new Error(`Cannot use ${source}: ${SECRET_RULE}`)
}

/** Describes a system error. */
function reasonOf(error: unknown): string {
  const code = codeOf(error)
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

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
}
