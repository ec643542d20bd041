import { basename, resolve } from 'node:path'
import {
  type BomShape,
  readStoredUses,
  SCAN_CHECKS,
  type ScanCheck,
  ServiceError,
  type StoredUse,
} from '../../core/index.ts'
import { type PackageRow, parsePackageRows } from '../scanner/index.ts'
import { readShape, readText } from './bom-files.ts'
import { CommandError, UsageError } from './errors.ts'
import type { Io } from './io.ts'
import type { GlobalOptions } from './service.ts'

/** The options of `scan project` as they are given. */
export interface ScanProjectOptions extends GlobalOptions {
  readonly include?: readonly string[]
  readonly exclude?: readonly string[]
  /** False for `--no-ignore`. */
  readonly ignore: boolean
  readonly packages?: string
  readonly workers?: number
  readonly name?: string
  readonly account?: string
  readonly sarif?: boolean
  readonly bom?: string
  readonly specVersion?: string
  readonly output?: string
  readonly failOn?: readonly string[]
  readonly baseline?: string
  readonly writeBaseline?: string
  readonly submit?: string
}

/** What a scan is to print. */
export type ScanOutput =
  | { readonly kind: 'table' | 'json' | 'sarif' }
  | { readonly kind: 'bom'; readonly shape: BomShape }

/** A scan as it was asked for, with the files that it needs. */
export interface ScanPlan {
  readonly root: string
  readonly name: string
  readonly output: ScanOutput
  readonly checks: ReadonlySet<ScanCheck>
  readonly baseline: readonly StoredUse[] | undefined
  readonly packages: readonly PackageRow[]
  readonly submit: SubmitTarget | undefined
}

/** Where a scan is sent. */
export interface SubmitTarget {
  /** With its base path, without a slash at its end. */
  readonly baseUrl: string
  readonly apiKey: string
}

/** The environment's name for the key of `--submit`. */
export const KEY_VARIABLE = 'API_DISCOVERY_KEY'

/** Reads the options. Throws a `UsageError` for what does not go together, before anything is done. */
export async function planScan(
  io: Io,
  given: { readonly folder: string; readonly options: ScanProjectOptions },
): Promise<ScanPlan> {
  const { folder, options } = given
  const root = resolve(folder)
  const output = readOutput(options)
  if (options.output !== undefined && output.kind === 'table') {
    throw new UsageError('Cannot use --output: it needs --json, --sarif or --bom')
  }
  const checks = readChecks(options.failOn ?? [], SCAN_CHECKS)
  if (checks.has('new') && options.baseline === undefined) {
    throw new UsageError('Cannot use --fail-on new: it needs --baseline FILE')
  }
  const submit = options.submit === undefined ? undefined : readTarget(io, options.submit)
  const { baseline, packages } = options
  return {
    root,
    name: (options.name ?? basename(root)) || 'project',
    output,
    checks,
    baseline: baseline === undefined ? undefined : await readBaseline(io, baseline),
    packages: packages === undefined ? [] : parsePackageRows(await readText(io, packages)),
    submit,
  }
}

/** Reads the names of checks, commas between them. Throws a `UsageError`. */
export function readChecks<Check extends string>(
  given: readonly string[],
  known: readonly Check[],
): ReadonlySet<Check> {
  const names = given.flatMap((each) => each.split(',')).map((name) => name.trim())
  return new Set(
    names.map((name) => {
      const check = known.find((each) => each === name)
      if (check !== undefined) return check
      throw new UsageError(`Cannot use --fail-on "${name}": there is ${known.join(', ')}`)
    }),
  )
}

/** For commander: an option that may be given several times. */
export function collect(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text]
}

function readOutput(options: ScanProjectOptions): ScanOutput {
  const { json, sarif, bom, specVersion } = options
  const chosen = [json && '--json', sarif && '--sarif', bom !== undefined && '--bom']
  const names = chosen.filter((name) => name !== undefined && name !== false)
  if (names.length > 1) {
    throw new UsageError(`Cannot print ${names.join(' and ')}: choose one of them`)
  }
  if (specVersion !== undefined && bom === undefined) {
    throw new UsageError('Cannot use --spec-version: it needs --bom')
  }
  if (bom !== undefined) {
    return { kind: 'bom', shape: readShape({ to: bom, specVersion: specVersion ?? '1.5' }) }
  }
  return { kind: json ? 'json' : sarif ? 'sarif' : 'table' }
}

async function readBaseline(io: Io, path: string): Promise<readonly StoredUse[]> {
  const text = await readText(io, path)
  try {
    return readStoredUses(text)
  } catch (error) {
    throw toNamed(path, error)
  }
}

/** The error with the file that it is about. */
export function toNamed(path: string, error: unknown): unknown {
  return error instanceof ServiceError ? new CommandError(`${path}: ${error.message}`) : error
}

/** Reads where to send a scan to. Throws a `UsageError`, also where the key is missing. */
export function readTarget(io: Io, text: string): SubmitTarget {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    throw new UsageError('Cannot submit: --submit must be the http or https URL of a service')
  }
  const apiKey = io.environment[KEY_VARIABLE]
  if (!apiKey) {
    throw new UsageError(
      `Cannot submit: the environment variable ${KEY_VARIABLE} must hold a key with the scope "ingest"`,
    )
  }
  const path = url.pathname.replace(/\/+$/, '')
  return { baseUrl: `${url.origin}${path === '' ? '/api' : path}`, apiKey }
}
