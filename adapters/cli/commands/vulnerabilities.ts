import type { Command } from 'commander'
import { type CallOutput, type Contract, ServiceError } from '../../../core/index.ts'
import { CommandError, UsageError } from '../errors.ts'
import { type CommandIo, GAP, measureTable, shorten, toPrintable, toTable } from '../io.ts'
import { type GlobalOptions, OPERATOR, type OpenService, withService } from '../service.ts'
import { printCve } from '../vulnerability-page.ts'
import { findColumns, NOTHING_LOADED, toAges, toScore } from '../vulnerability-text.ts'

type Mapping = CallOutput<Contract['searchVulnerabilities']>['mapping']

/** Members of the search's body by the names of the options that set them. */
const FILTERS = {
  cvss2: 'cvssv2_filter',
  cvss3: 'cvssv3_filter',
  cvss4: 'cvssv4_filter',
  year: 'year_published',
  published: 'published_filter',
  kev: 'kev',
  ransomware: 'kev_ransomware',
  epss: 'epss_filter',
  cwe: 'cwe_id',
  vendor: 'vendor',
  product: 'product',
  productVersion: 'version',
  includeRejected: 'include_rejected',
  page: 'page',
  size: 'size',
} as const

type SearchOptions = GlobalOptions & {
  readonly extended?: boolean
  readonly page: string
  readonly size: string
} & Partial<Readonly<Record<keyof typeof FILTERS, string | boolean>>>

/** Adds `vulnerabilities search`, `vulnerabilities show` and `vulnerabilities status`. */
export function addVulnerabilityCommands(program: Command, io: CommandIo): void {
  const command = program
    .command('vulnerabilities')
    .description('Search the vulnerability database, which "sync" fills.')

  command
    .command('search')
    .argument('<term...>', 'words, "phrases" or CVE ids; all must be found')
    .description('Find CVE records, newest first.')
    .option('--cvss3 <filter>', "CVSS 3 score: 7, '>7', '<=5.5'")
    .option('--cvss2 <filter>', 'CVSS 2 score')
    .option('--cvss4 <filter>', 'CVSS 4 score')
    .option('--year <filter>', "year of publication: 2021, '>=2020'")
    .option('--published <filter>', "day of publication: '>=2024-06-01'")
    .option('--kev', 'only what is known to be exploited')
    .option('--ransomware', 'only what ransomware campaigns are known to use')
    .option('--epss <filter>', "chance to be exploited, 0 to 1: '>0.5'")
    .option('--cwe <id>', 'weakness: CWE-79')
    .option('--vendor <name>', 'exact name of an affected vendor')
    .option('--product <name>', 'exact name of an affected product')
    .option('--product-version <version>', 'affected version; ranges are honoured')
    .option('--include-rejected', 'rejected records too')
    .option('--extended', 'with --json: everything but descriptions and configurations')
    .option('--page <n>', 'page, from 1', '1')
    .option('--size <n>', 'records at the most, 1 to 100', '20')
    .addHelpText(
      'after',
      "\nExamples:\n  api-discovery vulnerabilities search log4j --cvss3 '>7' --kev\n  api-discovery vulnerabilities search openssl --vendor openssl --product-version 3.0.2\n  api-discovery vulnerabilities search '\"http server\"' --year 2021",
    )
    .action(async (words: readonly string[], _, found: Command) => {
      const options = found.optsWithGlobals<SearchOptions>()
      await withService(io, { ...options, mustExist: true }, (service) =>
        search({ io, service, options }, words.join(' ')),
      )
    })

  command
    .command('show')
    .argument('<cve>', 'CVE id')
    .description('Show everything that is known of a CVE.')
    .addHelpText('after', '\nExample:\n  api-discovery vulnerabilities show CVE-2021-44228')
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
    .description('Tell what the vulnerability database holds and how old it is.')
    .addHelpText('after', '\nExample:\n  api-discovery vulnerabilities status --json')
    .action(async (_, found: Command) => {
      const options = found.optsWithGlobals<GlobalOptions>()
      await withService(io, { ...options, mustExist: true }, async ({ app }) => {
        const status = await app.call('getVulnerabilityStatus', {}, OPERATOR)
        if (options.json) return io.result(JSON.stringify(status))
        if (status.records === 0) return io.note(NOTHING_LOADED)
        io.result(`${status.records} CVE records (${status.rejected} of them rejected)`)
        io.result(`${status.products} products of ${status.vendors} vendors`)
        io.result(`${status.known_exploited} known exploited, ${status.epss_scores} EPSS scores`)
        io.note(`Data ${toAges(status)}.`)
      })
    })
}

interface SearchRun {
  readonly io: CommandIo
  readonly service: OpenService
  readonly options: SearchOptions
}

async function search({ io, service, options }: SearchRun, term: string): Promise<void> {
  const { app } = service
  const members = Object.entries(FILTERS).map(([option, member]) => [
    member,
    options[option as keyof typeof FILTERS],
  ])
  const body = {
    search_term: term,
    extended: !options.json || options.extended === true,
    ...(Object.fromEntries(members) as Record<string, string | boolean | undefined>),
  }
  const answer = await app
    .call('searchVulnerabilities', { body: body as { search_term: string } }, OPERATOR)
    .catch(nameOptions)
  if (options.json) return io.result(JSON.stringify(answer.mapping))
  const status = await app.call('getVulnerabilityStatus', {}, OPERATOR)
  if (status.records === 0) return io.note(NOTHING_LOADED)
  printFound(io, answer.mapping, options)
  io.note(`Data ${toAges(status)}.`)
}

function printFound(io: CommandIo, mapping: Mapping, options: SearchOptions): void {
  const { vulnerabilities: rows, num_results: total } = mapping
  const before = (Number(options.page) - 1) * Number(options.size)
  const last = before + rows.length
  if (rows.length === 0) {
    const isPast = total !== '0'
    io.note(
      isPast
        ? `Page ${options.page} is past the end of ${total} CVEs.`
        : `Nothing found for "${mapping.search_term}".`,
    )
    return
  }
  io.result(toRows(io, rows))
  const more = last < Number(total) ? `; --page ${Number(options.page) + 1} shows more` : ''
  io.note(`${total} CVEs, newest first: ${before + 1} to ${last}${more}.`)
}

/** With less than this for product and description together, the description has it alone. */
const ENOUGH_FOR_BOTH = 30

function toRows(io: CommandIo, rows: Mapping['vulnerabilities']): string {
  const fixed = rows.map((row) => [
    row.cve_id,
    toScore(row, io),
    row.epss ? toShare(row.epss.score) : '-',
    row.kev ? (row.kev.ransomware ? 'ransom' : 'yes') : '-',
  ])
  const left = Math.max(10, findColumns(io) - measureTable(FIXED, fixed) - GAP)
  const names = left < ENOUGH_FOR_BOTH ? 0 : Math.min(36, Math.floor(left * 0.4))
  const description = names > 0 ? left - names - GAP : left
  return toTable(
    [...FIXED, ...(names > 0 ? ['PRODUCT'] : []), 'DESCRIPTION'],
    rows.map((row, index) => [
      ...(fixed[index] ?? []),
      ...(names > 0 ? [shorten(toPrintable(toProduct(row)), names)] : []),
      shorten(toPrintable(row.cve_description), description),
    ]),
  )
}

/** Columns that are not shortened. */
const FIXED = ['CVE', 'CVSS', 'EPSS', 'KEV']

function toProduct({ vendor, product, version }: Mapping['vulnerabilities'][number]): string {
  return [vendor, product, version].filter((name) => name !== '-').join(' ')
}

/** A chance is never rounded to none or to certainty. */
function toShare(score: number): string {
  if (score > 0.99) return '>99%'
  return score < 0.01 ? '<1%' : `${Math.round(score * 100)}%`
}

/** Names the argument and the options in place of the body's members. */
function nameOptions(error: unknown): never {
  if (!(error instanceof ServiceError) || error.issues.length === 0) throw error
  const texts = error.issues.map(({ name, message }) => {
    const [option] = Object.entries(FILTERS).find(([, member]) => member === name) ?? []
    return `${option === undefined ? 'the term' : toOption(option)} ${message}`
  })
  throw new UsageError(`Cannot search: ${texts.join('; ')}`)
}

function toOption(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}
