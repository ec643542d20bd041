import { hash } from 'node:crypto'
import {
  access,
  constants,
  lstat,
  lutimes,
  readdir,
  readFile,
  rename,
  rm,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import type { FileScan } from '../../core/code-scanner/model/file-scan.ts'
import { ServiceError } from '../../core/errors.ts'
import { containsSecret } from '../../core/shared/secret-patterns.ts'
import { redactUrlSecrets } from '../../core/shared/url-secrets.ts'
import { VERSION } from '../../core/version.ts'
import { createFolder } from './create-folder.ts'
import { describeGrammars } from './grammars.ts'

/** Results of files from earlier scans, by path and content. */
export interface ScanCache {
  /** Keys of all stored results. */
  readonly keys: readonly string[]
  /** Returns a stored result; null if the file contains no usage. */
  find(key: string): FileScan | null
  /** Stores the result of a file that was scanned. */
  add(key: string, scan: FileScan | undefined): void
  /** Writes the cache, atomically. Does not throw: a scan does not depend on it. */
  save(): Promise<void>
}

/** Maximum size of a cache, in UTF-16 units. Results that the last scan did not use go first. */
const MAX_LENGTH = 64 * 1024 * 1024

/** Maximum number of caches in a folder; each set of options has its own. */
const MAX_CACHES = 8

const FILE_NAME = /^scan-[\da-f]{32}\.jsonl$/

/** Marks the folder, so that git ignores it and backups leave it out. */
const MARKS = {
  '.gitignore': '*\n',
  'CACHEDIR.TAG': 'Signature: 8a477f597d28d172789f06886806bc55\n',
} as const

/**
 * Opens the cache of a folder for these options; it is created if it does not exist. A damaged cache,
 * or one of another version or other options, counts as empty. Throws a `ServiceError` with code
 * `invalid_input` if the folder cannot be created or written.
 */
export async function openScanCache(
  folder: string,
  { options, maxLength = MAX_LENGTH }: { readonly options: unknown; readonly maxLength?: number },
): Promise<ScanCache> {
  await createCacheFolder(folder)
  const identity = JSON.stringify([VERSION, describeGrammars(), options])
  const path = join(folder, `scan-${hash('sha256', identity).slice(0, 32)}.jsonl`)
  const stored = await readLines(path)
  const used = new Map<string, string>()
  let hasChanged = false
  return {
    keys: [...stored.keys()],
    find(key) {
      const line = stored.get(key) ?? 'null'
      used.set(key, line)
      return fromLine(line)
    },
    add(key, scan) {
      const line = toLine(scan)
      if (line === undefined) return
      used.set(key, line)
      hasChanged = true
    },
    async save() {
      try {
        if (hasChanged) await writeLines(path, select([...used, ...stored], maxLength))
        else await lutimes(path, new Date(), new Date())
        await removeOldCaches(folder)
      } catch {
        // The folder is full, read-only or was removed.
      }
    },
  }
}

/** Returns the key of a file; its result depends on the path too. */
export function toCacheKey(path: string, text: string): string {
  return hash('sha256', `${path}\0${hash('sha256', text)}`, 'base64url').slice(0, KEY_LENGTH)
}

const KEY_LENGTH = 32

async function createCacheFolder(folder: string): Promise<void> {
  try {
    await createFolder(folder, 0o700)
    await access(folder, constants.W_OK)
    if ((await readdir(folder)).length > 0) return
    for (const [name, text] of Object.entries(MARKS)) {
      await writeFile(join(folder, name), text, { flag: 'wx' })
    }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${error.code})` : ''
    throw new ServiceError(
      'invalid_input',
      `Cannot use the cache folder "${folder}": it cannot be created or written${code}`,
    )
  }
}

/** The first line is the digest of the others; each of those is a key and a result. */
async function readLines(path: string): Promise<ReadonlyMap<string, string>> {
  const text = await readFile(path, 'utf8').catch(() => '')
  const end = text.indexOf('\n')
  const rest = text.slice(end + 1)
  if (end < 0 || hash('sha256', rest) !== text.slice(0, end)) return new Map()
  return new Map(
    rest
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => [line.slice(0, KEY_LENGTH), line.slice(KEY_LENGTH)]),
  )
}

async function writeLines(path: string, lines: ReadonlyMap<string, string>): Promise<void> {
  const text = [...lines].map(([key, line]) => `${key}${line}\n`).join('')
  const partial = `${path}.${process.pid}-${Date.now().toString(36)}`
  try {
    await writeFile(partial, `${hash('sha256', text)}\n${text}`, { mode: 0o600, flag: 'wx' })
    await rename(partial, path)
  } finally {
    await rm(partial, { force: true })
  }
}

/** Selects the first lines that fit; the first of several with the same key wins. */
function select(
  all: readonly (readonly [string, string])[],
  maxLength: number,
): ReadonlyMap<string, string> {
  const selected = new Map<string, string>()
  let length = 0
  for (const [key, line] of all) {
    if (selected.has(key)) continue
    length += key.length + line.length + 1
    if (length > maxLength) break
    selected.set(key, line)
  }
  return selected
}

/** Removes the caches that were not used for the longest time, and parts of interrupted scans. */
async function removeOldCaches(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.startsWith('scan-'))
  const files = await Promise.all(
    names.map(async (name) => ({ name, usedAt: (await lstat(join(folder, name))).mtimeMs })),
  )
  const caches = files
    .filter(({ name }) => FILE_NAME.test(name))
    .sort((a, b) => b.usedAt - a.usedAt)
  const partial = files.filter(
    ({ name, usedAt }) => !FILE_NAME.test(name) && usedAt < Date.now() - MAX_PARTIAL_MS,
  )
  for (const { name } of [...caches.slice(MAX_CACHES), ...partial]) {
    await rm(join(folder, name), { force: true })
  }
}

/** Age after which a file that was not renamed belongs to no running scan. */
const MAX_PARTIAL_MS = 3_600_000

/** Undefined for results that may contain a secret: their files are scanned each time. */
function toLine(scan: FileScan | undefined): string | undefined {
  let mayHaveSecret = false
  const line = JSON.stringify(scan ?? null, (key, value) => {
    if (typeof value === 'string') {
      const isName = key === 'name' || key === 'key'
      mayHaveSecret ||= isName ? SECRET_NAME.test(value) : redactUrlSecrets(value) !== value
    }
    mayHaveSecret ||= SECRET_NAME.test(key)
    return value instanceof Map ? { [MAP]: [...value] } : value
  })
  return mayHaveSecret || containsSecret(line) ? undefined : line
}

const SECRET_NAME =
  /secret|pass(?:w|phrase|$)|pwd|token|credential|authorization|(?:api|auth|access|client|private|session|signing)[_-]?key/i

function fromLine(line: string): FileScan | null {
  return JSON.parse(line, (_, value) => (Array.isArray(value?.[MAP]) ? new Map(value[MAP]) : value))
}

/** Marks a map; no name of a program contains a space. */
const MAP = 'as map'
