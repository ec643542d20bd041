import { statSync } from 'node:fs'
import { basename, isAbsolute, relative, resolve, sep } from 'node:path'
import { BOM_FORMATS, type BomShape } from '../../core/boms/index.ts'
import {
  type CveReview,
  type PackageRow,
  readCveReviews,
  readStoredUsages,
  SCAN_CHECKS,
  type ScanCheck,
  type StoredUsage,
  USAGE_ROLES,
  type UsageRole,
} from '../../core/scans/index.ts'
import { assertFolder } from '../scanner/assert-folder.ts'
import { parsePackageRows } from '../scanner/index.ts'
import { readBomFormat, readTextFile, withFileName } from './bom-files.ts'
import type { OptionValues } from './command-values.ts'
import { UsageError } from './errors.ts'
import { checkOutputs } from './files.ts'
import type { Io } from './io.ts'
import { integerParser } from './numbers.ts'
import type { GlobalOptions } from './service.ts'

/** Options of `scan project`. */
export const SCAN_PROJECT_OPTIONS = [
  [
    '--include <pattern>',
    'only matching files, in .gitignore syntax, even if vendored or generated; repeatable',
    { parse: collectValues },
  ],
  ['--exclude <pattern>', 'skip matching files and folders; repeatable', { parse: collectValues }],
  ['--no-ignore', 'also read files that .gitignore excludes'],
  ['--packages <file>', 'JSON list of additional vendor libraries'],
  [
    '--workers <n>',
    'number of threads (default: one per core, at most 4)',
    { parse: integerParser(1, 64) },
  ],
  ['--cache-dir <folder>', 'store results of files, and scan only new and changed files next time'],
  ['--name <name>', 'project name (default: name of the folder)'],
  [
    '--account <name>',
    'account whose stored reviews apply (default: the only account with this project)',
  ],
  ['--verbose', 'list every endpoint with its locations, approval and terms'],
  ['--sarif', 'print a SARIF 2.1.0 log'],
  ['--vex', 'print an OpenVEX document with the reviews of CVEs of packages'],
  ['--author <name>', 'author of the OpenVEX document (default: the project name)'],
  [
    '--bom <format>',
    'print a BOM: cyclonedx-json, cyclonedx-xml or specification',
    { suggestions: BOM_FORMATS },
  ],
  ['--spec-version <version>', 'CycloneDX version: 1.5, 1.6 or 1.7 (default: 1.5)'],
  ['--output <file>', 'write the document to a file'],
  [
    '--fail-on <checks>',
    'exit with 3 on findings of these checks, comma-separated: unapproved, no-terms, kev, new',
    { parse: collectValues, suggestions: SCAN_CHECKS },
  ],
  [
    '--fail-on-roles <roles>',
    'roles of usages that --fail-on checks, comma-separated (default: all)',
    { parse: collectValues, suggestions: USAGE_ROLES },
  ],
  ['--baseline <file>', 'earlier scan or review file that contains known endpoints and approvals'],
  [
    '--write-baseline <file>',
    'write a review file of all endpoints; existing decisions in it are preserved',
  ],
  ['--submit <url>', 'store the scan in a service, using the key in API_DISCOVERY_KEY'],
] as const

/** Parsed options of `scan project`; `assess` has only some of them. */
export type ScanProjectOptions = GlobalOptions &
  Pick<OptionValues<typeof SCAN_PROJECT_OPTIONS>, 'ignore'> &
  Partial<OptionValues<typeof SCAN_PROJECT_OPTIONS>>

/** Output format of a scan. */
export type ScanOutput =
  | { readonly kind: 'table' | 'json' | 'sarif' | 'vex' }
  | { readonly kind: 'bom'; readonly shape: BomShape }

/** A validated scan request, with its input files loaded. */
export interface ScanPlan {
  readonly root: string
  readonly name: string
  readonly output: ScanOutput
  readonly checks: ReadonlySet<ScanCheck>
  /** Roles of usages that fail the checks; undefined for all. */
  readonly roles: ReadonlySet<UsageRole> | undefined
  readonly baseline: readonly StoredUsage[] | undefined
  /** Reviews of CVEs in the baseline. */
  readonly cveReviews: readonly CveReview[]
  /** Existing content of the review file to write; undefined if the file does not exist. */
  readonly existingReview: ReviewedFile | undefined
  /** Time of documents in milliseconds since the epoch: of SOURCE_DATE_EPOCH, else the current. */
  readonly now: number
  readonly packages: readonly PackageRow[]
  /** Patterns of files below the root that the scan itself reads or writes, and must not scan. */
  readonly ownFiles: readonly string[]
  readonly submit: SubmitTarget | undefined
}

/** Content of a review file or an earlier scan. */
export interface ReviewedFile {
  readonly usages: readonly StoredUsage[]
  readonly cveReviews: readonly CveReview[]
}

/** Service that a scan is submitted to. */
export interface SubmitTarget {
  /** URL with base path, without a final slash. */
  readonly baseUrl: string
  readonly apiKey: string
}

/** Environment variable with the API key for `--submit`. */
export const API_KEY_VARIABLE = 'API_DISCOVERY_KEY'

/**
 * Validates the options and loads files before the scan. Throws a `UsageError` if options conflict,
 * and a `ServiceError` with code `not_found` if the folder does not exist.
 */
export async function planScan(
  io: Io,
  request: {
    readonly folder: string
    readonly options: ScanProjectOptions
    /** Additional files to exclude from the scan. */
    readonly ownFiles?: readonly (string | undefined)[]
  },
): Promise<ScanPlan> {
  const { folder, options, ownFiles = [] } = request
  if (folder.trim() === '')
    throw new UsageError('Cannot scan: the folder name is empty; use . for the current folder')
  const root = resolve(folder)
  const output = readScanOutput(options)
  if (options.output !== undefined && output.kind === 'table') {
    throw new UsageError('Cannot use --output: it needs --json, --sarif, --vex or --bom')
  }
  const checks = parseChecks(options.failOn ?? [], SCAN_CHECKS)
  const roles = readRoles(options)
  if (checks.has('new') && options.baseline === undefined) {
    throw new UsageError('Cannot use --fail-on new: it needs --baseline FILE')
  }
  const submit = options.submit === undefined ? undefined : readSubmitTarget(io, options.submit)
  const { baseline, cacheDir, packages, writeBaseline } = options
  if (cacheDir?.trim() === '') throw new UsageError('Cannot use --cache-dir: it must name a folder')
  await assertFolder(root)
  await checkOutputs([options.output, writeBaseline])
  const known = baseline === undefined ? undefined : await readReviewedFile(io, baseline)
  return {
    root,
    name: (options.name ?? basename(root)) || 'project',
    output,
    checks,
    roles,
    baseline: known?.usages,
    cveReviews: known?.cveReviews ?? [],
    existingReview:
      writeBaseline === undefined || !hasFileContent(writeBaseline)
        ? undefined
        : await readReviewedFile(io, writeBaseline),
    now: output.kind === 'vex' || output.kind === 'bom' ? readTime(io) : Date.now(),
    packages: packages === undefined ? [] : await readPackagesFile(io, packages),
    ownFiles: [baseline, writeBaseline, packages, cacheDir, options.output, ...ownFiles].flatMap(
      (file) => (file === undefined ? [] : toIgnorePattern(root, file)),
    ),
    submit,
  }
}

function readRoles({ failOn, failOnRoles }: ScanProjectOptions) {
  if (failOnRoles === undefined) return undefined
  if (failOn === undefined) throw new UsageError('Cannot use --fail-on-roles: it needs --fail-on')
  return parseChecks(failOnRoles, USAGE_ROLES, '--fail-on-roles')
}

/** Parses comma-separated names of checks. Throws a `UsageError` for an unknown name. */
export function parseChecks<Check extends string>(
  texts: readonly string[],
  known: readonly Check[],
  option = '--fail-on',
): ReadonlySet<Check> {
  const names = texts.flatMap((each) => each.split(',')).map((name) => name.trim())
  return new Set(
    names.map((name) => {
      const check = known.find((each) => each === name)
      if (check !== undefined) return check
      throw new UsageError(`Cannot use ${option} "${name}": it must be one of ${known.join(', ')}`)
    }),
  )
}

/** Collects the values of a repeatable option. */
export function collectValues(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text]
}

function readScanOutput(options: ScanProjectOptions): ScanOutput {
  const { json, sarif, vex, bom, specVersion } = options
  const chosen = [
    ...[json && '--json', sarif && '--sarif', vex && '--vex'],
    bom !== undefined && '--bom',
  ]
  const names = chosen.filter((name) => name !== undefined && name !== false)
  if (names.length > 1) {
    throw new UsageError(`Cannot print ${names.join(' and ')}: choose one of them`)
  }
  if (specVersion !== undefined && bom === undefined) {
    throw new UsageError('Cannot use --spec-version: it needs --bom')
  }
  if (options.author !== undefined && !vex) {
    throw new UsageError('Cannot use --author: it needs --vex')
  }
  if (bom !== undefined) {
    return { kind: 'bom', shape: readBomFormat({ to: bom, specVersion }) }
  }
  return { kind: json ? 'json' : sarif ? 'sarif' : vex ? 'vex' : 'table' }
}

/** Reads the usages of an earlier scan. Throws a `CommandError` that names the file. */
export async function readUsagesFile(io: Io, path: string): Promise<readonly StoredUsage[]> {
  const text = await readTextFile(io, path)
  return withFileName(path, () => readStoredUsages(text))
}

/** Reads the usages of an earlier scan with reviews of CVEs. Throws as `readUsagesFile` does. */
export async function readReviewedFile(io: Io, path: string): Promise<ReviewedFile> {
  const text = await readTextFile(io, path)
  return withFileName(path, () => ({
    usages: readStoredUsages(text),
    cveReviews: readCveReviews(text),
  }))
}

/** Reads the time of documents, which reproducible builds set. Throws a `UsageError`. */
function readTime(io: Io): number {
  const text = io.environment.SOURCE_DATE_EPOCH
  if (text === undefined || text === '') return Date.now()
  if (/^\d{1,11}$/.test(text)) return Number(text) * 1000
  throw new UsageError('Cannot scan: SOURCE_DATE_EPOCH must be a number of seconds')
}

/** Converts a file to a `.gitignore` pattern of the root; empty if it is outside the root. */
function toIgnorePattern(root: string, file: string): readonly string[] {
  const path = relative(root, resolve(file)).split(sep).join('/')
  const isBelow = path !== '' && path !== '..' && !path.startsWith('../') && !isAbsolute(path)
  return isBelow ? [`/${path.replace(/[\\*?[\]!# ]/g, '\\$&')}`] : []
}

/** Whether a regular file with content exists. Devices, for example, are only written. */
function hasFileContent(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false })
  return found?.isFile() === true && found.size > 0
}

async function readPackagesFile(io: Io, path: string): Promise<readonly PackageRow[]> {
  const text = await readTextFile(io, path)
  return withFileName(path, () => parsePackageRows(text))
}

/** Reads the submit target. Throws a `UsageError` if the URL is invalid or the key is missing. */
export function readSubmitTarget(io: Io, text: string): SubmitTarget {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    throw new UsageError('Cannot submit: --submit must be an http or https URL of a service')
  }
  const apiKey = io.environment[API_KEY_VARIABLE]
  if (!apiKey) {
    throw new UsageError(
      `Cannot submit: set the environment variable ${API_KEY_VARIABLE} to an API key with the scope "ingest"`,
    )
  }
  const path = url.pathname.replace(/\/+$/, '')
  return { baseUrl: `${url.origin}${path === '' ? '/api' : path}`, apiKey }
}
