import { statSync } from 'node:fs'
import { basename, isAbsolute, relative, resolve, sep } from 'node:path'
import type { BomShape } from '../../core/index.ts'
import {
  readStoredUses,
  SCAN_CHECKS,
  type ScanCheck,
  type StoredUse,
} from '../../core/scans/index.ts'
import { type PackageRow, parsePackageRows } from '../scanner/index.ts'
import { readShape, readText, withName } from './bom-files.ts'
import { UsageError } from './errors.ts'
import { checkOutputs } from './files.ts'
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
  /** What the review file that is to be written holds already; undefined when there is none yet. */
  readonly reviewed: readonly StoredUse[] | undefined
  readonly packages: readonly PackageRow[]
  /** Patterns of the files below the root that the scan reads or writes itself, whatever they hold. */
  readonly ownFiles: readonly string[]
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
  given: {
    readonly folder: string
    readonly options: ScanProjectOptions
    /** More files that are not scanned. */
    readonly ownFiles?: readonly (string | undefined)[]
  },
): Promise<ScanPlan> {
  const { folder, options, ownFiles = [] } = given
  if (folder.trim() === '')
    throw new UsageError('Cannot scan: the folder has no name; . is this one')
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
  const { baseline, packages, writeBaseline } = options
  await checkOutputs([options.output, writeBaseline])
  return {
    root,
    name: (options.name ?? basename(root)) || 'project',
    output,
    checks,
    baseline: baseline === undefined ? undefined : await readUses(io, baseline),
    reviewed:
      writeBaseline === undefined || !holdsText(writeBaseline)
        ? undefined
        : await readUses(io, writeBaseline),
    packages: packages === undefined ? [] : await readPackages(io, packages),
    ownFiles: [baseline, writeBaseline, packages, options.output, ...ownFiles].flatMap((file) =>
      file === undefined ? [] : toPattern(root, file),
    ),
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
    return { kind: 'bom', shape: readShape({ to: bom, specVersion }) }
  }
  return { kind: json ? 'json' : sarif ? 'sarif' : 'table' }
}

/** What a former scan left in a file. Throws a `CommandError` that names the file. */
export async function readUses(io: Io, path: string): Promise<readonly StoredUse[]> {
  const text = await readText(io, path)
  return withName(path, () => readStoredUses(text))
}

/** The file as a line of a `.gitignore` of the root; none where it is elsewhere. */
function toPattern(root: string, file: string): readonly string[] {
  const path = relative(root, resolve(file)).split(sep).join('/')
  const isBelow = path !== '' && path !== '..' && !path.startsWith('../') && !isAbsolute(path)
  return isBelow ? [`/${path.replace(/[\\*?[\]!# ]/g, '\\$&')}`] : []
}

/** Whether a file is there to be read; what is none, as a device, is written alone. */
function holdsText(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false })
  return found?.isFile() === true && found.size > 0
}

async function readPackages(io: Io, path: string): Promise<readonly PackageRow[]> {
  const text = await readText(io, path)
  return withName(path, () => parsePackageRows(text))
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
