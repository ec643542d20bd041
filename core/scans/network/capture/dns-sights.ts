/** A name that was asked for. */
export interface DnsSight {
  readonly host: string
  /** Milliseconds since the epoch. */
  readonly at: number
}

/** The names that DNS messages of one conversation show. */
export interface DnsSights {
  ask(sight: DnsSight): void
  /** Whether the answer is the first for its domain. */
  answer(sight: DnsSight): boolean
  /** One name of each domain that was asked for without an answer. */
  takeUnanswered(): readonly DnsSight[]
}

const MAX_DOMAINS = 256
const REVERSE = 'arpa'
const LOCAL = 'local'
const PRIVATE_REVERSE = /\.(?:10|127|254\.169|168\.192|(?:1[6-9]|2\d|3[01])\.172)\.in-addr\.arpa$/

/**
 * Of each domain the first name that is answered or, without an answer, asked for. Resolvers ask
 * from a new port each time, so that a conversation with many names of one domain is a tunnel or a
 * walk over it; names of addresses count only where nothing else was asked for, those
 * of private addresses last.
 */
export function createDnsSights(): DnsSights {
  const given = new Set<string>()
  const waiting = new Map<string, DnsSight>()
  const isNew = (domain: string) =>
    !given.has(domain) && !(domain === REVERSE && given.size > 0) && given.size < MAX_DOMAINS
  const ask = (sight: DnsSight) => {
    const domain = domainOf(sight.host)
    if (!isNew(domain) || waiting.has(domain) || waiting.size >= MAX_DOMAINS) return
    waiting.set(domain, sight)
  }
  return {
    ask,
    answer(sight) {
      const domain = domainOf(sight.host)
      if (PRIVATE_REVERSE.test(sight.host)) {
        ask(sight)
        return false
      }
      waiting.delete(domain)
      if (!isNew(domain)) return false
      given.add(domain)
      return true
    },
    takeUnanswered() {
      const left = [...waiting].filter(([domain]) => isNew(domain))
      waiting.clear()
      const hasHosts = left.some(([domain]) => domain !== REVERSE)
      return left
        .filter(([domain]) => domain !== REVERSE || !hasHosts)
        .map(([domain, sight]) => {
          given.add(domain)
          return sight
        })
    },
  }
}

/** The last two labels, or three below a country (`co.uk`). */
function domainOf(name: string): string {
  const labels = name.split('.')
  const [last = '', second = ''] = labels.toReversed()
  if (last === REVERSE || last === LOCAL) return last
  return labels.slice(last.length === 2 && second.length <= 3 ? -3 : -2).join('.')
}
