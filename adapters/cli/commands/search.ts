import { formatApiKind } from '../../../core/catalogue/index.ts'
import type { CallOutput, Contract } from '../../../core/contract.ts'
import { defineServiceCommand } from '../define-command.ts'
import { UsageError } from '../errors.ts'
import { type CommandIo, formatTable, toPrintable } from '../io.ts'

type Found = CallOutput<Contract['searchEndpoints']>

/** Well-known methods. Any other word is a method only if an endpoint has it. */
const KNOWN_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'QUERY']

/** `search`. */
export const searchCommand = defineServiceCommand({
  name: 'search',
  description: 'Search APIs and endpoints',
  arguments: [['[text...]', 'search words; lists all APIs by name if omitted']],
  options: [
    ['--category <name>', 'only APIs in this category'],
    ['--vendor <name>', 'only APIs of this vendor (name or domain)'],
    [
      '--auth <kind>',
      'only APIs with this authentication: none, header, query, OAuth2, BasicAuth, …',
    ],
    ['--license <name>', 'only APIs with this licence; none: without a stated licence'],
    ['--deprecated <yes|no>', 'only APIs with, or without, deprecated endpoints'],
    ['--kind <kind>', 'only APIs of this kind: http, mcp (MCP servers) or a2a (A2A agents)'],
    ['--facets', 'also list the available filter values'],
    ['--size <n>', 'APIs per page, 1 to 100', { default: '10' }],
    ['--page <n>', 'page number, starting at 1', { default: '1' }],
  ],
  examples: [
    'search send a text message',
    "search --category 'Environment & Weather' --auth header --facets",
  ],
  prepare({ words: [text], options }) {
    const { facets, category, vendor, auth, license, deprecated, kind } = options
    if (text.length > 0 || facets || category || vendor || auth || license || deprecated || kind)
      return
    throw new UsageError(
      'Cannot search: pass search words, or an option such as --vendor or --facets',
    )
  },
  async run({ io, app, caller, words: [text], options }) {
    const { category, vendor, auth, license, deprecated, kind, facets, size, page } = options
    const q = text.join(' ')
    const chosen = { category, vendor, auth, license, deprecated, kind }
    // The operation validates the options.
    const input: object = { q, ...chosen, facets, size, page }
    const found = await app.call('searchEndpoints', input, caller)
    if (options.json) return { json: found }
    printSearchResults(io, { found, q, chosen })
    return undefined
  },
})

/** `match`. */
export const matchCommand = defineServiceCommand({
  name: 'match',
  description: 'Find the catalogued endpoint that a URL belongs to',
  arguments: [
    ['<method>', 'HTTP method; - if unknown'],
    ['<url>', 'URL from code or traffic'],
  ],
  details: `
Exit codes:
  0  matched
  1  no catalogued API has this host
  2  invalid usage`,
  examples: [
    'match GET https://api.acme.example/v1/users/7',
    'match - api.acme.example/v1/users --json',
  ],
  prepare({ words: [, url] }) {
    if (hasHost(url)) return
    throw new UsageError(
      toPrintable(
        `Cannot match "${url}": it has no host; use the form https://api.acme.example/v1`,
      ),
    )
  },
  async run({ io, app, words: [method, url], options }) {
    const match = await app.match({ method: method === '-' ? undefined : method, url })
    const all = match ? [match, ...match.alternatives] : []
    rejectUnknownMethod(method, all)
    if (!match) {
      io.setFailed()
      if (options.json) return { json: null }
      const vendor = (await app.loadScanCatalogue()).findVendor?.(parseHost(url))
      const owner = vendor === undefined ? '' : ` The host belongs to ${vendor}.`
      return { note: toPrintable(`No catalogued API matches this URL.${owner}`) }
    }
    return {
      json: match,
      table: {
        headings: ['ENDPOINT', 'METHOD', 'API', 'VENDOR', 'CONFIDENCE'],
        rows: all.map((candidate) => [
          candidate.shortId ?? '-',
          candidate.method ?? '-',
          candidate.apiName ?? '-',
          candidate.vendorName,
          candidate.confidence.toFixed(2),
        ]),
      },
      note: match.reason,
    }
  },
})

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
    const kind = api.kind ? `, ${formatApiKind(api.kind)}` : ''
    io.result(
      toPrintable(`${api.name} ${api.version} (${api.vendor.name}${kind})  ${api.encrypted_id}`),
    )
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

/** Returns the beginning of a description, without Markdown links and HTML tags. */
function truncateDescription(description: string): string {
  const text = description
    .slice(0, 1000)
    .replace(/\[([^[\]]+)\]\([^()\s]*\)/g, '$1')
    .replace(/<\/?[a-z][^<>]*>/gi, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return text.length > 80 ? `${text.slice(0, 79)}…` : text
}
