import type { Command } from 'commander'
import type { CallOutput, Contract } from '../../../core/index.ts'
import { UsageError } from '../errors.ts'
import { type CommandIo, formatTable, toPrintable } from '../io.ts'
import { type GlobalOptions, OPERATOR, withService } from '../service.ts'

/** Filter options, named like the search parameters. */
const FILTER_OPTIONS = ['category', 'vendor', 'auth', 'license', 'deprecated'] as const

type Found = CallOutput<Contract['searchEndpoints']>

type SearchOptions = GlobalOptions & {
  readonly size: string
  readonly page: string
  readonly facets?: boolean
} & Partial<Readonly<Record<(typeof FILTER_OPTIONS)[number], string>>>

/** Well-known methods. Any other word is a method only if an endpoint has it. */
const KNOWN_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'QUERY']

/** Adds `search` and `match`. */
export function addSearchCommands(program: Command, io: CommandIo): void {
  program
    .command('search')
    .argument('[text...]', 'search words; lists all APIs by name if omitted')
    .description('Search APIs and endpoints')
    .option('--category <name>', 'only APIs in this category')
    .option('--vendor <name>', 'only APIs of this vendor (name or domain)')
    .option(
      '--auth <kind>',
      'only APIs with this authentication: none, header, query, OAuth2, BasicAuth, …',
    )
    .option('--license <name>', 'only APIs with this licence; none: without a stated licence')
    .option('--deprecated <yes|no>', 'only APIs with, or without, deprecated endpoints')
    .option('--facets', 'also list the available filter values')
    .option('--size <n>', 'APIs per page, 1 to 100', '10')
    .option('--page <n>', 'page number, starting at 1', '1')
    .addHelpText(
      'after',
      `
Examples:
  api-discovery search send a text message
  api-discovery search --category 'Environment & Weather' --auth header --facets`,
    )
    .action(async (words: readonly string[], _, command: Command) => {
      const options = command.optsWithGlobals<SearchOptions>()
      const chosen = Object.fromEntries(FILTER_OPTIONS.map((name) => [name, options[name]]))
      const isNarrowed = options.facets || Object.values(chosen).some(Boolean)
      if (words.length === 0 && !isNarrowed) {
        throw new UsageError(
          'Cannot search: pass search words, or an option such as --vendor or --facets',
        )
      }
      const q = words.join(' ')
      const input = { q, ...chosen, facets: options.facets, size: options.size, page: options.page }
      await withService(io, { ...options, mustExist: true }, async ({ app }) => {
        // The operation validates the options.
        const found = await app.call('searchEndpoints', input as object, OPERATOR)
        if (options.json) io.result(JSON.stringify(found))
        else printSearchResults(io, { found, q, chosen })
      })
    })

  program
    .command('match')
    .argument('<method>', 'HTTP method; - if unknown')
    .argument('<url>', 'URL from code or traffic')
    .description('Find the catalogued endpoint that a URL belongs to')
    .addHelpText(
      'after',
      `
Exit codes:
  0  matched
  1  no catalogued API has this host
  2  invalid usage

Examples:
  api-discovery match GET https://api.acme.example/v1/users/7
  api-discovery match - api.acme.example/v1/users --json`,
    )
    .action(async (method: string, url: string, _, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      if (!hasHost(url)) {
        throw new UsageError(
          toPrintable(
            `Cannot match "${url}": it has no host; use the form https://api.acme.example/v1`,
          ),
        )
      }
      await withService(io, { ...options, mustExist: true }, async ({ app }) => {
        const match = await app.match({ method: method === '-' ? undefined : method, url })
        const all = match ? [match, ...match.alternatives] : []
        rejectUnknownMethod(method, all)
        if (!match) io.setFailed()
        if (options.json) return io.result(JSON.stringify(match ?? null))
        if (!match) {
          const vendor = (await app.loadScanCatalogue()).findVendor?.(parseHost(url))
          const owner = vendor === undefined ? '' : ` The host belongs to ${vendor}.`
          return io.note(toPrintable(`No catalogued API matches this URL.${owner}`))
        }
        io.result(
          formatTable(
            ['ENDPOINT', 'METHOD', 'API', 'VENDOR', 'CONFIDENCE'],
            all.map((candidate) => [
              candidate.shortId ?? '-',
              candidate.method ?? '-',
              candidate.apiName ?? '-',
              candidate.vendorName,
              candidate.confidence.toFixed(2),
            ]),
          ),
        )
        io.note(match.reason)
      })
    })
}

/** Throws a `UsageError` for a method that is neither well-known nor one of an endpoint. */
export function rejectUnknownMethod(
  method: string,
  found: readonly { readonly method: string | undefined }[],
  hint = ', or - if unknown',
): void {
  if (method === '-' || KNOWN_METHODS.includes(method.toUpperCase())) return
  if (found.some((candidate) => candidate.method === method.toLowerCase())) return
  const known = `${KNOWN_METHODS.slice(0, -1).join(', ')} or ${KNOWN_METHODS.at(-1)}`
  throw new UsageError(toPrintable(`Invalid method "${method}": use ${known}${hint}`))
}

/** A URL without a scheme has a host if its first segment contains a dot or a port. */
function hasHost(url: string): boolean {
  return /^[a-z+]+:\/\/[^/]|^[^/?#]*[.:]/i.test(url.trim())
}

/** Returns the host of a URL, with a scheme or without; empty for a path. */
function parseHost(url: string): string {
  const address = /^[a-z+]+:\/\//i.test(url) ? url : `https://${url}`
  return URL.canParse(address) ? new URL(address).hostname : ''
}

function printSearchResults(
  io: CommandIo,
  search: {
    readonly found: Found
    readonly q: string
    readonly chosen: Readonly<Record<string, string | undefined>>
  },
) {
  const { found, q } = search
  for (const api of found.endpoints) {
    io.result(toPrintable(`${api.name} ${api.version} (${api.vendor.name})  ${api.encrypted_id}`))
    for (const endpoint of api.matched_endpoints) {
      const { endpoint_id: id, method, endpoint: url, description } = endpoint
      io.result(
        toPrintable(`  ${id}  ${method.toUpperCase()} ${url}  ${truncateDescription(description)}`),
      )
    }
  }
  const rows = (found.facets ?? []).flatMap(({ name, values }) =>
    values.map(({ value, count, is_chosen: isChosen }) => [
      name,
      `${value}${isChosen ? ' *' : ''}`,
      String(count),
    ]),
  )
  if (rows.length > 0) io.result(formatTable(['FACET', 'VALUE', 'APIS'], rows))
  if (found.num_results === 0) {
    const filters = Object.entries(search.chosen).flatMap(([name, value]) =>
      value === undefined ? [] : `--${name} "${value}"`,
    )
    const narrowed = filters.length > 0 ? ` with ${filters.join(' ')}` : ''
    io.note(toPrintable(q === '' ? `No APIs${narrowed}.` : `No results for "${q}"${narrowed}.`))
  } else if (found.current_page > found.num_pages) {
    io.note(`Page ${found.current_page} not found: the last page is ${found.num_pages}.`)
  } else {
    const apis = found.num_results === 1 ? 'API' : 'APIs'
    io.note(`${found.num_results} ${apis}, page ${found.current_page} of ${found.num_pages}.`)
    const [endpoint] = found.endpoints.flatMap((api) => api.matched_endpoints)
    if (endpoint) io.note(`Show parameters: api-discovery show ${endpoint.endpoint_id}`)
  }
}

function truncateDescription(text: string): string {
  return text.length > 80 ? `${text.slice(0, 79)}…` : text
}
