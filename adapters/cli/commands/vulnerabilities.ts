import type { CallOutput, Contract } from '../../../core/contract.ts'
import { type ApiDiscovery, ServiceError } from '../../../core/index.ts'
import { explainMissingRecord } from '../../../core/vulnerabilities/index.ts'
import type { OptionValues } from '../command-values.ts'
import { maskPassword } from '../database.ts'
import { defineCommand, defineServiceCommand, type ServiceContext } from '../define-command.ts'
import { CommandError, describeError, UsageError } from '../errors.ts'
import { type CommandIo, type Io, toPrintable } from '../io.ts'
import { parseDurationOption } from '../scopes.ts'
import type { GlobalOptions } from '../service.ts'
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
import { exportArchiveCommand, pullArchiveCommand } from './vulnerability-archives.ts'

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

const SEARCH_OPTIONS = [
  ['--cvss3 <filter>', "CVSS 3 score: 7, '>7', '<=5.5', '>=4 <7'"],
  ['--cvss2 <filter>', 'CVSS 2 score'],
  ['--cvss4 <filter>', 'CVSS 4 score'],
  ['--cvss <filter>', 'score of the newest CVSS version of a record'],
  [
    '--severity <names>',
    'severities by the newest CVSS version, comma-separated: critical,high,medium,low,none',
    { suggestions: ['critical', 'high', 'medium', 'low', 'none'] },
  ],
  ['--year <filter>', "publication year: 2021, '>=2019 <=2021'"],
  ['--published <filter>', "publication date: '>=2024-06-01'"],
  ['--modified <filter>', 'date of the last change'],
  ['--kev', 'only known exploited vulnerabilities (KEV)'],
  ['--ransomware', 'only vulnerabilities used in ransomware campaigns'],
  ['--kev-added <filter>', 'date of addition to the KEV catalogue'],
  ['--epss <filter>', "EPSS probability of exploitation, 0 to 1: '>0.5'"],
  ['--epss-percentile <filter>', 'EPSS percentile, 0 to 1'],
  ['--cwe <id>', 'weakness: CWE-79'],
  ['--vendor <name>', 'name of an affected vendor, ignoring case, punctuation and legal forms'],
  ['--product <name>', 'exact name of an affected product'],
  ['--product-version <version>', 'affected version, including versions within a range'],
  ['--purl <url>', 'package URL of an affected package: pkg:npm/lodash@4.17.15'],
  ['--cvss-vector <metrics>', 'metrics that a CVSS vector must contain: AV:N/PR:N'],
  ['--reference-host <host>', 'host of a reference: github.com'],
  ['--reference-tag <tag>', 'tag of a reference: Exploit'],
  [
    '--exploitation <states>',
    'exploitation by SSVC, comma-separated: none,poc,active',
    { suggestions: ['none', 'poc', 'active'] },
  ],
  ['--include-rejected', 'also list rejected records'],
  ['--extended', 'with --json: all fields except descriptions and configurations'],
  ['--page <n>', 'page number, starting at 1', { default: '1' }],
  ['--size <n>', 'records per page, 1 to 100', { default: DEFAULT_SIZE }],
] as const

type SearchOptions = GlobalOptions & OptionValues<typeof SEARCH_OPTIONS>

/** The commands of the vulnerability database. */
export const vulnerabilityCommands = defineCommand({
  name: 'vulnerabilities',
  description: 'Search the vulnerability database that "sync" loads',
  examples: ['vulnerabilities search log4j', 'vulnerabilities show CVE-2021-44228'],
  commands: [
    defineServiceCommand({
      name: 'search',
      description: 'Search CVE records, newest first',
      arguments: [['[term...]', 'words, "phrases" or IDs (CVE, GHSA, EUVD); all must match']],
      options: SEARCH_OPTIONS,
      details: `Without a term, the filters apply to all records: the search term is "${CVE_ID_PREFIX}", part of every CVE ID.`,
      examples: [
        "vulnerabilities search log4j --cvss3 '>7' --kev",
        'vulnerabilities search openssl --vendor openssl --product-version 3.0.2',
        'vulnerabilities search --purl pkg:npm/lodash@4.17.15',
        `vulnerabilities search '"http server"' --year 2021`,
        "vulnerabilities search --kev-added '>=2024-06-01' --cvss-vector AV:N/PR:N",
      ],
      prepare({ words: [term], options }) {
        if (term.length > 0 || hasFilter(options)) return
        throw new UsageError(
          "Cannot search: pass a term, or a filter such as --kev or --cvss3 '>9'",
        )
      },
      run: (service) => searchVulnerabilities(service, service.words[0]),
    }),
    defineServiceCommand({
      name: 'show',
      description: 'Show all data of a CVE record',
      arguments: [['<cve>', 'CVE ID, or an alias (GHSA or EUVD)']],
      examples: [
        'vulnerabilities show CVE-2021-44228',
        'vulnerabilities show CVE-2021-44228 --json',
      ],
      async run({ io, app, caller, words: [id], options }) {
        const cve = await app.call('getCve', { cve_id: id }, caller).catch(async (error) => {
          const [issue] = error instanceof ServiceError ? error.issues : []
          if (issue) throw new UsageError(`"${id}" ${issue.message}`)
          const advice = await adviseLoading(app, id)
          if (advice !== undefined) throw new CommandError(`${describeError(error)}\n${advice}`)
          const { records } = await app.vulnerabilities.status()
          throw records === 0 ? new CommandError(NOTHING_LOADED) : error
        })
        if (options.json) io.result(JSON.stringify(cve))
        else printCve(io, cve)
      },
    }),
    defineServiceCommand({
      name: 'status',
      description: 'Show the size and age of the vulnerability database',
      options: [
        [
          '--max-age <duration>',
          'exit with 1 if the data of a source is older, or nothing is loaded: 10d, 12h',
          { parse: (text: string) => ({ text, ms: parseDurationOption(text) }) },
        ],
      ],
      details: `
The age of records is that of the newest change of one, and that of kev and epss the date of CISA's
release and of the scores. CISA may release nothing for a week.

Exit codes:
  0  shown
  1  not shown; with --max-age: old data
  2  invalid usage`,
      examples: [
        'vulnerabilities status',
        'vulnerabilities status --max-age 10d',
        'vulnerabilities status --json',
      ],
      async run({ io, app, caller, options: { json, maxAge } }) {
        const status = await app.call('getVulnerabilityStatus', {}, caller)
        if (json) io.result(JSON.stringify(status))
        else printStatus(io, status)
        if (maxAge === undefined) return
        const old = listOldSources(status, maxAge.ms)
        if (old.length > 0) io.note(`Data older than ${maxAge.text}: ${old.join(', ')}.`)
        if (old.length > 0 || status.records === 0) io.setFailed()
      },
    }),
    exportArchiveCommand,
    pullArchiveCommand,
  ],
})

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

/** Ignores empty filters. */
function hasFilter(options: SearchOptions): boolean {
  const names = Object.keys(FILTER_MEMBERS) as (keyof typeof FILTER_MEMBERS)[]
  return names.some((name) => String(options[name] ?? '').trim() !== '')
}

async function searchVulnerabilities(
  {
    io,
    app,
    caller,
    options,
  }: ServiceContext & {
    readonly io: CommandIo
    readonly options: SearchOptions
  },
  words: readonly string[],
): Promise<void> {
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
    .call('searchVulnerabilities', { body: body as { search_term: string } }, caller)
    .catch(rethrowWithOptionNames)
  if (options.json) return io.result(JSON.stringify(answer.mapping))
  const status = await app.call('getVulnerabilityStatus', {}, caller)
  const advice = words.length === 1 ? await adviseLoading(app, words[0] ?? '') : undefined
  if (status.records === 0) return io.note(advice ?? NOTHING_LOADED)
  printCvePage(io, answer.mapping, {
    page: Number(options.page),
    size: Number(options.size),
    words,
    purl: options.purl?.toString(),
    others: toOtherOptions(options),
  })
  if (advice !== undefined) io.note(advice)
  io.note(describeDataDates(status))
}

/** Returns the KEV and EPSS data of a CVE whose record is not loaded, and how to load it. */
async function adviseLoading(
  { vulnerabilities }: Pick<ApiDiscovery, 'vulnerabilities'>,
  id: string,
): Promise<string | undefined> {
  if (await vulnerabilities.findRecord(id)) return undefined
  const explanation = explainMissingRecord(await vulnerabilities.findRatings(id))
  return explanation && `${explanation} Load the records: api-discovery sync nvd`
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
