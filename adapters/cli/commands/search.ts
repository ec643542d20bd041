import type { Command } from 'commander'
import type { CallOutput, Contract } from '../../../core/index.ts'
import { UsageError } from '../errors.ts'
import { type CommandIo, toPrintable, toTable } from '../io.ts'
import { type GlobalOptions, OPERATOR, withService } from '../service.ts'

/** Options that narrow down, named as the parameters of the search are. */
const FACETS = ['category', 'vendor', 'auth', 'license', 'deprecated'] as const

type Found = CallOutput<Contract['searchEndpoints']>

type SearchOptions = GlobalOptions & {
  readonly size: string
  readonly page: string
  readonly facets?: boolean
} & Partial<Readonly<Record<(typeof FACETS)[number], string>>>

/** Methods that descriptions know by name; others are methods only where an endpoint has them. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'QUERY']

/** Adds `search` and `match`. */
export function addSearchCommands(program: Command, io: CommandIo): void {
  program
    .command('search')
    .argument('[text...]', 'what you look for, in your own words; all by name without it')
    .description('Find APIs and endpoints.')
    .option('--category <name>', 'only APIs of this category')
    .option('--vendor <name>', 'only APIs of this vendor: its name, or a domain of it')
    .option('--auth <kind>', 'only APIs that take this: none, header, query, OAuth2, BasicAuth, …')
    .option('--license <name>', 'only APIs of this licence; none: without a stated one')
    .option('--deprecated <yes|no>', 'only APIs with deprecated endpoints, or without any')
    .option('--facets', 'tell what else can be chosen of these')
    .option('--size <n>', 'APIs at the most, 1 to 100', '10')
    .option('--page <n>', 'page, from 1', '1')
    .addHelpText(
      'after',
      `
Examples:
  api-discovery search send a text message
  api-discovery search --category 'Environment & Weather' --auth header --facets`,
    )
    .action(async (words: readonly string[], _, command: Command) => {
      const options = command.optsWithGlobals<SearchOptions>()
      const chosen = Object.fromEntries(FACETS.map((name) => [name, options[name]]))
      const isNarrowed = options.facets || Object.values(chosen).some(Boolean)
      if (words.length === 0 && !isNarrowed) {
        throw new UsageError(
          'Cannot search: give a text, or an option such as --vendor or --facets',
        )
      }
      const q = words.join(' ')
      const input = { q, ...chosen, facets: options.facets, size: options.size, page: options.page }
      await withService(io, { ...options, mustExist: true }, async ({ app }) => {
        // The operation judges what the options say.
        const found = await app.call('searchEndpoints', input as object, OPERATOR)
        if (options.json) io.result(JSON.stringify(found))
        else printFound(io, { found, q })
      })
    })

  program
    .command('match')
    .argument('<method>', 'HTTP method, or - when unknown')
    .argument('<url>', 'URL as it stands in code or traffic')
    .description(
      'Tell which catalogued endpoint a URL belongs to; exit code 1 when no catalogued API has its host.',
    )
    .addHelpText(
      'after',
      '\nExample:\n  api-discovery match GET https://api.acme.example/v1/users/7',
    )
    .action(async (method: string, url: string, _, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      if (!hasHost(url)) {
        throw new UsageError(
          toPrintable(`Cannot match "${url}": it has no host; write https://api.acme.example/v1`),
        )
      }
      await withService(io, { ...options, mustExist: true }, async ({ app }) => {
        const match = await app.match({ method: method === '-' ? undefined : method, url })
        const all = match ? [match, ...match.alternatives] : []
        refuseUnknownMethod(method, all)
        if (!match) io.setFailed()
        if (options.json) return io.result(JSON.stringify(match ?? null))
        if (!match) {
          const vendor = (await app.scanCatalogue()).findVendor?.(toHost(url))
          const owner = vendor === undefined ? '' : ` Its host belongs to ${vendor}.`
          return io.note(toPrintable(`No catalogued API has this address.${owner}`))
        }
        io.result(
          toTable(
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

function refuseUnknownMethod(
  method: string,
  found: readonly { readonly method: string | undefined }[],
): void {
  if (method === '-' || METHODS.includes(method.toUpperCase())) return
  if (found.some((candidate) => candidate.method === method.toLowerCase())) return
  const known = `${METHODS.slice(0, -1).join(', ')} or ${METHODS.at(-1)}`
  throw new UsageError(
    toPrintable(`Unknown method "${method}": use ${known}, or - where it is unknown`),
  )
}

/** A URL without a scheme has a host where its first part has a dot or a port. */
function hasHost(url: string): boolean {
  return /^[a-z+]+:\/\/[^/]|^[^/?#]*[.:]/i.test(url.trim())
}

/** Host of a URL, with a scheme or without; empty for a path. */
function toHost(url: string): string {
  const address = /^[a-z+]+:\/\//i.test(url) ? url : `https://${url}`
  return URL.canParse(address) ? new URL(address).hostname : ''
}

function printFound(io: CommandIo, { found, q }: { readonly found: Found; readonly q: string }) {
  for (const api of found.endpoints) {
    io.result(toPrintable(`${api.name} ${api.version} (${api.vendor.name})  ${api.encrypted_id}`))
    for (const endpoint of api.matched_endpoints) {
      const { endpoint_id: id, method, endpoint: url, description } = endpoint
      io.result(toPrintable(`  ${id}  ${method.toUpperCase()} ${url}  ${short(description)}`))
    }
  }
  const rows = (found.facets ?? []).flatMap(({ name, values }) =>
    values.map(({ value, count, is_chosen: isChosen }) => [
      name,
      `${value}${isChosen ? ' *' : ''}`,
      String(count),
    ]),
  )
  if (rows.length > 0) io.result(toTable(['FACET', 'VALUE', 'APIS'], rows))
  if (found.num_results === 0) {
    io.note(q === '' ? 'No API fits.' : `Nothing found for "${q}".`)
  } else {
    const apis = found.num_results === 1 ? 'API' : 'APIs'
    io.note(`${found.num_results} ${apis}, page ${found.current_page} of ${found.num_pages}.`)
  }
}

function short(text: string): string {
  return text.length > 80 ? `${text.slice(0, 79)}…` : text
}
