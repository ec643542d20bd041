import type { Command } from 'commander'
import { type CallOutput, type Contract, ServiceError } from '../../../core/index.ts'
import { maskPassword } from '../database.ts'
import { CommandError, UsageError } from '../errors.ts'
import { type CommandIo, type Io, toPrintable } from '../io.ts'
import { parseDurationOption } from '../scopes.ts'
import { type GlobalOptions, OPERATOR, type OpenService, withService } from '../service.ts'
import { printCvePage } from '../vulnerability-list.ts'
import { printCve } from '../vulnerability-page.ts'
import {
  describeCompleteness,
  describeDataDates,
  formatSources,
  listFailedSyncs,
  listOldSources,
  NOTHING_LOADED,
} from '../vulnerability-text.ts'
import { addArchiveCommands } from './vulnerability-archives.ts'

/** Filter members of the search body, by option name. */
const FILTER_MEMBERS = {
  cvss2: 'cvssv2_filter',
  cvss3: 'cvssv3_filter',
  cvss4: 'cvssv4_filter',
  cvss: 'cvss_filter',
  severity: 'severity',
  year: 'year_published',
  published: 'published_filter',
  modified: 'modified_filter',
  kev: 'kev',
  ransomware: 'kev_ransomware',
  kevAdded: 'kev_added_filter',
  epss: 'epss_filter',
  epssPercentile: 'epss_percentile_filter',
  cwe: 'cwe_id',
  vendor: 'vendor',
  product: 'product',
  productVersion: 'version',
  cvssVector: 'cvss_vector',
  referenceHost: 'reference_host',
  referenceTag: 'reference_tag',
  purl: 'purl',
  exploitation: 'ssvc_exploitation',
} as const

/** All members of the search body that options set. */
const SEARCH_MEMBERS = {
  ...FILTER_MEMBERS,
  includeRejected: 'include_rejected',
  page: 'page',
  size: 'size',
} as const

const DEFAULT_SIZE = '20'

/** Search term if only filters are passed: every CVE ID contains it. */
const CVE_ID_PREFIX = 'cve'

type SearchOptions = GlobalOptions & {
  readonly extended?: boolean
  readonly page: string
  readonly size: string
} & Partial<Readonly<Record<keyof typeof SEARCH_MEMBERS, string | boolean>>>

/** Adds the commands of the vulnerability database. */
export function addVulnerabilityCommands(program: Command, io: CommandIo): void {
  const command = program
    .command('vulnerabilities')
    .description('Search the vulnerability database that "sync" loads')
    .addHelpText(
      'after',
      '\nExamples:\n  api-discovery vulnerabilities search log4j\n  api-discovery vulnerabilities show CVE-2021-44228',
    )

  command
    .command('search')
    .argument('[term...]', 'words, "phrases" or IDs (CVE, GHSA, EUVD); all must match')
    .description('Search CVE records, newest first')
    .option('--cvss3 <filter>', "CVSS 3 score: 7, '>7', '<=5.5', '>=4 <7'")
    .option('--cvss2 <filter>', 'CVSS 2 score')
    .option('--cvss4 <filter>', 'CVSS 4 score')
    .option('--cvss <filter>', 'score of the newest CVSS version of a record')
    .option(
      '--severity <names>',
      'severities by the newest CVSS version, comma-separated: critical,high,medium,low,none',
    )
    .option('--year <filter>', "publication year: 2021, '>=2019 <=2021'")
    .option('--published <filter>', "publication date: '>=2024-06-01'")
    .option('--modified <filter>', 'date of the last change')
    .option('--kev', 'only known exploited vulnerabilities (KEV)')
    .option('--ransomware', 'only vulnerabilities used in ransomware campaigns')
    .option('--kev-added <filter>', 'date of addition to the KEV catalogue')
    .option('--epss <filter>', "EPSS probability of exploitation, 0 to 1: '>0.5'")
    .option('--epss-percentile <filter>', 'EPSS percentile, 0 to 1')
    .option('--cwe <id>', 'weakness: CWE-79')
    .option(
      '--vendor <name>',
      'name of an affected vendor, ignoring case, punctuation and legal forms',
    )
    .option('--product <name>', 'exact name of an affected product')
    .option('--product-version <version>', 'affected version, including versions within a range')
    .option('--purl <url>', 'package URL of an affected package: pkg:npm/lodash@4.17.15')
    .option('--cvss-vector <metrics>', 'metrics that a CVSS vector must contain: AV:N/PR:N')
    .option('--reference-host <host>', 'host of a reference: github.com')
    .option('--reference-tag <tag>', 'tag of a reference: Exploit')
    .option('--exploitation <states>', 'exploitation by SSVC, comma-separated: none,poc,active')
    .option('--include-rejected', 'also list rejected records')
    .option('--extended', 'with --json: all fields except descriptions and configurations')
    .option('--page <n>', 'page number, starting at 1', '1')
    .option('--size <n>', 'records per page, 1 to 100', DEFAULT_SIZE)
    .addHelpText(
      'after',
      `
Without a term, the filters apply to all records: the search term is "${CVE_ID_PREFIX}", part of every CVE ID.

Examples:
  api-discovery vulnerabilities search log4j --cvss3 '>7' --kev
  api-discovery vulnerabilities search openssl --vendor openssl --product-version 3.0.2
  api-discovery vulnerabilities search --purl pkg:npm/lodash@4.17.15
  api-discovery vulnerabilities search '"http server"' --year 2021
  api-discovery vulnerabilities search --kev-added '>=2024-06-01' --cvss-vector AV:N/PR:N`,
    )
    .action(async (words: readonly string[], _, found: Command) => {
      const options = found.optsWithGlobals<SearchOptions>()
      if (words.length === 0 && !hasFilter(options)) {
        throw new UsageError(
          "Cannot search: pass a term, or a filter such as --kev or --cvss3 '>9'",
        )
      }
      await withService(io, { ...options, mustExist: true }, (service) =>
        searchVulnerabilities({ io, service, options }, words),
      )
    })

  command
    .command('show')
    .argument('<cve>', 'CVE ID, or an alias (GHSA or EUVD)')
    .description('Show all data of a CVE record')
    .addHelpText(
      'after',
      '\nExamples:\n  api-discovery vulnerabilities show CVE-2021-44228\n  api-discovery vulnerabilities show CVE-2021-44228 --json',
    )
    .action(async (id: string, _, found: Command) => {
      const options = found.optsWithGlobals<GlobalOptions>()
      await withService(io, { ...options, mustExist: true }, async ({ app }) => {
        const cve = await app.call('getCve', { cve_id: id }, OPERATOR).catch(async (error) => {
          const { records } = await app.vulnerabilities.status()
          throw records === 0 ? new CommandError(NOTHING_LOADED) : error
        })
        if (options.json) io.result(JSON.stringify(cve))
        else printCve(io, cve)
      })
    })

  command
    .command('status')
    .description('Show the size and age of the vulnerability database')
    .option(
      '--max-age <duration>',
      'exit with 1 if the data of a source is older, or nothing is loaded: 10d, 12h',
    )
    .addHelpText(
      'after',
      `
The age of records is that of the newest change of one, and that of kev and epss the date of CISA's
release and of the scores. CISA may release nothing for a week.

Exit codes:
  0  shown
  1  not shown; with --max-age: old data
  2  invalid usage

Examples:
  api-discovery vulnerabilities status
  api-discovery vulnerabilities status --max-age 10d
  api-discovery vulnerabilities status --json`,
    )
    .action(async (_, found: Command) => {
      const options = found.optsWithGlobals<StatusOptions>()
      const maxAgeMs =
        options.maxAge === undefined ? undefined : parseDurationOption(options.maxAge)
      await withService(io, { ...options, mustExist: true }, async ({ app }) => {
        const status = await app.call('getVulnerabilityStatus', {}, OPERATOR)
        if (options.json) io.result(JSON.stringify(status))
        else printStatus(io, status)
        if (maxAgeMs === undefined) return
        const old = listOldSources(status, maxAgeMs)
        if (old.length > 0) io.note(`Data older than ${options.maxAge}: ${old.join(', ')}.`)
        if (old.length > 0 || status.records === 0) io.setFailed()
      })
    })

  addArchiveCommands(command, io)
}

interface StatusOptions extends GlobalOptions {
  readonly maxAge?: string
}

function printStatus(io: Io, status: CallOutput<Contract['getVulnerabilityStatus']>): void {
  for (const line of listFailedSyncs(status)) io.note(toPrintable(line))
  if (status.records === 0) {
    io.note(NOTHING_LOADED)
    return
  }
  io.result(`${status.records} CVE records, including ${status.rejected} rejected`)
  io.result(`${status.products} products of ${status.vendors} vendors`)
  io.result(describeCompleteness(status))
  io.result(`${status.known_exploited} known exploited, ${status.epss_scores} EPSS scores`)
  io.result('')
  io.result(formatSources(status))
}

interface SearchRun {
  readonly io: CommandIo
  readonly service: OpenService
  readonly options: SearchOptions
}

/** Ignores empty filters. */
function hasFilter(options: SearchOptions): boolean {
  const names = Object.keys(FILTER_MEMBERS) as (keyof typeof FILTER_MEMBERS)[]
  return names.some((name) => String(options[name] ?? '').trim() !== '')
}

async function searchVulnerabilities(run: SearchRun, words: readonly string[]): Promise<void> {
  const { io, service, options } = run
  const { app } = service
  const members = Object.entries(SEARCH_MEMBERS).map(([option, member]) => [
    member,
    options[option as keyof typeof SEARCH_MEMBERS],
  ])
  const body = {
    search_term: words.length === 0 ? CVE_ID_PREFIX : words.join(' '),
    extended: !options.json || options.extended === true,
    ...(Object.fromEntries(members) as Record<string, string | boolean | undefined>),
  }
  const answer = await app
    .call('searchVulnerabilities', { body: body as { search_term: string } }, OPERATOR)
    .catch(rethrowWithOptionNames)
  if (options.json) return io.result(JSON.stringify(answer.mapping))
  const status = await app.call('getVulnerabilityStatus', {}, OPERATOR)
  if (status.records === 0) return io.note(NOTHING_LOADED)
  printCvePage(io, answer.mapping, {
    page: Number(options.page),
    size: Number(options.size),
    words,
    purl: options.purl?.toString(),
    others: toOtherOptions(options),
  })
  io.note(describeDataDates(status))
}

/** Returns the options that a search by product instead of package repeats, by flag. */
function toOtherOptions({ purl, page, ...options }: SearchOptions) {
  const others = new Map<string, string | true>()
  for (const name of ['database', ...Object.keys(SEARCH_MEMBERS)]) {
    const value = options[name as keyof typeof options]
    if (!value || (name === 'size' && value === DEFAULT_SIZE)) continue
    others.set(toOptionFlag(name), name === 'database' ? maskPassword(String(value)) : value)
  }
  return others
}

/** Replaces body members by argument and option names in validation errors. */
function rethrowWithOptionNames(error: unknown): never {
  if (!(error instanceof ServiceError) || error.issues.length === 0) throw error
  const texts = error.issues.map(({ name, message }) => {
    const [option] = Object.entries(SEARCH_MEMBERS).find(([, member]) => member === name) ?? []
    return `${option === undefined ? 'the term' : toOptionFlag(option)} ${message}`
  })
  throw new UsageError(`Cannot search: ${texts.join('; ')}`)
}

function toOptionFlag(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}
