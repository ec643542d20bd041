const MAX_DOMAINS = 256
const REVERSE = 'arpa'
const LOCAL = 'local'

/**
 * Whether a name that is asked for in a conversation belongs to a domain that was not asked for in
 * it before, which is then remembered in `domains`. Resolvers ask from a new port each time, so
 * that a conversation with many names of one domain is a tunnel or a walk over it; names of
 * addresses count only where nothing else was asked for.
 */
export function isNewDomain(domains: Set<string>, name: string): boolean {
  const domain = domainOf(name)
  const isAside = domain === REVERSE && domains.size > 0
  if (isAside || domains.has(domain) || domains.size >= MAX_DOMAINS) return false
  domains.add(domain)
  return true
}

/** The last two labels, or three below a country (`co.uk`). */
function domainOf(name: string): string {
  const labels = name.split('.')
  const [last = '', second = ''] = labels.toReversed()
  if (last === REVERSE || last === LOCAL) return last
  return labels.slice(last.length === 2 && second.length <= 3 ? -3 : -2).join('.')
}
