import type { Server } from '../../catalogue/records.ts'

const MAX_ORIGINS = 100

/** A description may list an unbounded number of values. */
const MAX_URLS = 10_000

/**
 * Lists the distinct origins of absolute server URLs, in order, at most 100. Each URL is expanded
 * with its default values, and with each other allowed value of one variable at a time.
 */
export function listOrigins(servers: Iterable<Server>): readonly string[] {
  const origins = new Set<string>()
  let urls = 0
  for (const url of listUrls(servers)) {
    addOrigin(origins, url)
    urls += 1
    if (origins.size >= MAX_ORIGINS || urls >= MAX_URLS) break
  }
  return [...origins]
}

function* listUrls(servers: Iterable<Server>): Generator<string> {
  const seen = new Set<string>()
  for (const server of servers) {
    // Most endpoints repeat the servers of their API.
    const key = JSON.stringify(server)
    if (seen.has(key)) continue
    seen.add(key)
    const { url, variables } = server
    const defaults = new Map(variables.map((variable) => [variable.name, variable.default]))
    yield fillTemplate(url, defaults)
    for (const { name, values } of variables) {
      for (const value of values) yield fillTemplate(url, new Map(defaults).set(name, value))
    }
  }
}

function fillTemplate(template: string, values: ReadonlyMap<string, string>): string {
  return template.replace(/\{([^{}]+)\}/g, (whole, name: string) => values.get(name) ?? whole)
}

function addOrigin(origins: Set<string>, url: string): void {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return
  const { origin, host } = new URL(url)
  // The host still contains a variable without a value.
  if (!/[{}]|%7b/i.test(host)) origins.add(origin)
}
