import type { Server } from '../../catalogue/records.ts'

const MAX_ORIGINS = 100

/**
 * The origins of absolute servers, distinct, in order, at most 100: with the defaults of their
 * variables and with each single variable's other allowed values.
 */
export function listOrigins(servers: Iterable<Server>): readonly string[] {
  const origins = new Set<string>()
  for (const { url, variables } of servers) {
    const defaults = new Map(variables.map((variable) => [variable.name, variable.default]))
    addOrigin(origins, fill(url, defaults))
    for (const { name, values } of variables) {
      for (const value of values) addOrigin(origins, fill(url, new Map(defaults).set(name, value)))
    }
    if (origins.size >= MAX_ORIGINS) break
  }
  return [...origins].slice(0, MAX_ORIGINS)
}

function fill(template: string, values: ReadonlyMap<string, string>): string {
  return template.replace(/\{([^{}]+)\}/g, (whole, name: string) => values.get(name) ?? whole)
}

function addOrigin(origins: Set<string>, url: string): void {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return
  const { origin, host } = new URL(url)
  // A variable without a value stands in the host still.
  if (!/[{}]|%7b/i.test(host)) origins.add(origin)
}
