import type { Budget } from './held-bytes.ts'

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
  /** One name of each domain that was asked for without an answer; lets go what is held. */
  close(): readonly DnsSight[]
}

const REVERSE = 'arpa'
const LOCAL = 'local'
const PRIVATE_REVERSE = /\.(?:10|127|254\.169|168\.192|(?:1[6-9]|2\d|3[01])\.172)\.in-addr\.arpa$/

/**
 * Of each domain the first name that is answered or, without an answer, asked for. Resolvers ask
 * from a new port each time, so that a conversation with many names of one domain is a tunnel or a
 * walk over it; names of addresses count only where nothing else was asked for, those
 * of private addresses last.
 */
export function createDnsSights(budget: Budget): DnsSights {
  const given = new Set<string>()
  const waiting = new Map<string, DnsSight>()
  const isNew = (domain: string) => !given.has(domain) && (domain !== REVERSE || given.size === 0)
  const remember = (domain: string) => {
    if (budget.used >= budget.limit) {
      budget.used -= given.size
      given.clear()
    }
    budget.used += 1
    given.add(domain)
  }
  const ask = (sight: DnsSight) => {
    const domain = domainOf(sight.host)
    if (!isNew(domain) || waiting.has(domain) || budget.used >= budget.limit) return
    budget.used += 1
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
      if (waiting.delete(domain)) budget.used -= 1
      if (!isNew(domain)) return false
      remember(domain)
      return true
    },
    close() {
      const left = [...waiting].filter(([domain]) => isNew(domain))
      const hasHosts = left.some(([domain]) => domain !== REVERSE)
      budget.used -= waiting.size + given.size
      waiting.clear()
      given.clear()
      return left.filter(([domain]) => domain !== REVERSE || !hasHosts).map(([, sight]) => sight)
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
