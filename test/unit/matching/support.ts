import type { Server } from '../../../core/catalogue/records.ts'
import type { MatchableEndpoint } from '../../../core/matching/match.ts'
import { createMatcher, type Matcher } from '../../../core/matching/matcher.ts'

/** A short form of an endpoint: `get /users/{id}` below a server. */
export interface Line {
  readonly api?: number
  readonly vendor?: string
  readonly server?: string | Server
  readonly endpoint: string
}

/** Parses one endpoint per line; IDs start at 1. */
export function toEndpoints(lines: readonly Line[]): readonly MatchableEndpoint[] {
  return lines.map((line, index) => {
    const [method = '', ...path] = line.endpoint.split(' ')
    const apiId = line.api ?? 1
    const server = line.server ?? 'https://api.acme.io'
    return {
      id: index + 1,
      shortId: `short${index + 1}`,
      apiId,
      apiName: `API ${apiId}`,
      vendorName: line.vendor ?? `Vendor ${apiId}`,
      method,
      path: path.join(' '),
      servers: [typeof server === 'string' ? { url: server, name: '', variables: [] } : server],
    }
  })
}

/** Creates a matcher for the lines. */
export function matcherOf(lines: readonly Line[]): Matcher {
  const matcher = createMatcher()
  matcher.addEndpoints(toEndpoints(lines))
  return matcher
}

/** A server with one variable. */
export function serverWith(url: string, variable: Server['variables'][number]): Server {
  return { url, name: '', variables: [variable] }
}

/** Creates a function that returns `get /users/{id}` (or level and API) for a query. */
export function finderOf(lines: readonly Line[]) {
  const matcher = matcherOf(lines)
  return (text: string): string | undefined => {
    const [method, url = ''] = text.includes(' ') ? text.split(/ (.*)/s) : ['', text]
    const match = matcher.match({ method, url })
    if (!match) return undefined
    if (match.level === 'endpoint') return lines[(match.endpointId ?? 0) - 1]?.endpoint
    return match.level === 'api' ? `api ${match.apiId}` : `vendor ${match.vendorName}`
  }
}
