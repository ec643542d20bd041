import { isAbsolute } from 'node:path'
import { type Policy, parsePolicy } from '../../core/assessments/index.ts'
import { ServiceError } from '../../core/index.ts'
import type { CveReview } from '../../core/scans/index.ts'
import { readTextFile } from './bom-files.ts'
import type { OptionValues } from './command-values.ts'
import { ACCOUNT_OPTIONS } from './define-command.ts'
import { CommandError, UsageError } from './errors.ts'
import { checkOutputs } from './files.ts'
import { type Io, toPrintable } from './io.ts'
import { integerParser } from './numbers.ts'
import { collectValues, planScan, readReviewedFile, type ScanPlan } from './scan-options.ts'
import type { GlobalOptions } from './service.ts'

/** Options that apply only to folders. */
const FOLDER_OPTIONS = {
  include: '--include',
  exclude: '--exclude',
  packages: '--packages',
  workers: '--workers',
  name: '--name',
  baseline: '--baseline',
} as const

/** Options of `assess`. */
export const ASSESS_OPTIONS = [
  ACCOUNT_OPTIONS.operator,
  [
    '--policy <file>',
    'JSON or YAML policy file; - for standard input; exit with 3 if the policy fails',
  ],
  [
    '--project <name>',
    'assess a stored scan: the newest one with this name, or the one with this ID',
  ],
  ['--rules', 'list all assessment rules and policy conditions'],
  ['--sarif', 'print a SARIF 2.1.0 log; needs --policy'],
  ['--output <file>', 'write the JSON or SARIF document to a file'],
  [
    '--include <pattern>',
    'for a folder: only matching files, in .gitignore syntax; repeatable',
    { parse: collectValues },
  ],
  [
    '--exclude <pattern>',
    'for a folder: skip matching files and folders; repeatable',
    { parse: collectValues },
  ],
  ['--no-ignore', 'for a folder: also read files that .gitignore excludes'],
  ['--packages <file>', 'for a folder: JSON list of additional vendor libraries'],
  [
    '--workers <n>',
    'for a folder: number of threads (default: one per core, at most 4)',
    { parse: integerParser(1, 64) },
  ],
  ['--name <name>', 'for a folder: project name (default: name of the folder)'],
  [
    '--baseline <file>',
    'for a folder: earlier scan or review file with approvals; for --project: only its reviews of CVEs',
  ],
] as const

export type AssessOptions = GlobalOptions & OptionValues<typeof ASSESS_OPTIONS>

/** The API, stored project or folder to assess. */
export type AssessTarget =
  | { readonly kind: 'api'; readonly name: string }
  | {
      readonly kind: 'project'
      readonly name: string
      readonly cveReviews: readonly CveReview[]
    }
  | { readonly kind: 'folder'; readonly name: string; readonly scan: ScanPlan }

/** A validated assessment request, with its policy and scan plan loaded. */
export interface AssessPlan {
  readonly target: AssessTarget
  readonly policy: Policy | undefined
  readonly output: 'table' | 'json' | 'sarif'
}

/** Validates the options and loads the policy. Throws a `UsageError` if either is invalid. */
export async function planAssessment(
  io: Io,
  request: { readonly subject: string | undefined; readonly options: AssessOptions },
): Promise<AssessPlan> {
  const { options } = request
  const { json, sarif, output } = options
  if (json && sarif) throw new UsageError('Cannot print --json and --sarif: choose one of them')
  if (sarif && options.policy === undefined) {
    throw new UsageError('Cannot use --sarif: it needs --policy FILE')
  }
  if (output !== undefined && !json && !sarif) {
    throw new UsageError('Cannot use --output: it needs --json or --sarif')
  }
  await checkOutputs([output])
  const policy = options.policy === undefined ? undefined : await readPolicyFile(io, options.policy)
  return {
    target: await findAssessTarget(io, request),
    policy,
    output: json ? 'json' : sarif ? 'sarif' : 'table',
  }
}

async function findAssessTarget(
  io: Io,
  { subject, options }: { readonly subject: string | undefined; readonly options: AssessOptions },
): Promise<AssessTarget> {
  const { project } = options
  const isOne = (subject === undefined) !== (project === undefined)
  const name = (subject ?? project ?? '').trim()
  if (!isOne || name === '') {
    throw new UsageError(
      'Cannot assess: pass an API, a folder (starting with ./) or --project NAME; see --rules for all rules',
    )
  }
  if (project === undefined && isFolderName(name))
    return planFolderAssessment(io, { folder: name, options })
  const { baseline } = options
  const wrong = Object.entries(FOLDER_OPTIONS).find(
    ([option]) =>
      options[option as keyof typeof FOLDER_OPTIONS] !== undefined &&
      (project === undefined || option !== 'baseline'),
  )
  if (wrong || !options.ignore) {
    throw new UsageError(
      `Cannot use ${wrong?.[1] ?? '--no-ignore'}: it needs a folder, such as ./shop`,
    )
  }
  if (project === undefined) return { kind: 'api', name }
  const file = baseline === undefined ? undefined : await readReviewedFile(io, baseline)
  return { kind: 'project', name, cveReviews: file?.cveReviews ?? [] }
}

/** Whether a subject has the form of a folder: `.`, `./shop`, `../shop`, `/srv/shop`. */
function isFolderName(subject: string): boolean {
  return isAbsolute(subject) || /^\.{1,2}(?:[\\/]|$)/.test(subject)
}

async function planFolderAssessment(
  io: Io,
  { folder, options }: { readonly folder: string; readonly options: AssessOptions },
): Promise<AssessTarget> {
  // Output options apply to the assessment, not to the scan.
  const { json: _, sarif: __, output, policy, ...rest } = options
  const scan = await planScan(io, { folder, options: rest, ownFiles: [output, policy] })
  return { kind: 'folder', name: scan.name, scan }
}

/** Throws a `UsageError` if the file is missing or is not a valid policy. */
async function readPolicyFile(io: Io, path: string): Promise<Policy> {
  try {
    return parsePolicy(await readTextFile(io, path))
  } catch (error) {
    if (error instanceof CommandError) throw new UsageError(error.message)
    if (!(error instanceof ServiceError)) throw error
    const name = path === '-' ? 'standard input' : path
    throw new UsageError(toPrintable(`${name}: ${error.message}`))
  }
}
