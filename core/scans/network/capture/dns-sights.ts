import type { Budget } from './held-bytes.ts'

/** A requested name. */
export interface DnsSight {
  readonly host: string
  /** Milliseconds since the epoch. */
  readonly at: number
}

/** Properties of a DNS message about a name. */
export interface DnsTold {
  /** Whether it is a response with records of any kind. */
  readonly isAnswer: boolean
  /** Whether its answers contain addresses. */
  readonly hasAddresses: boolean
}

/** Names seen in the DNS messages of one conversation. */
export interface DnsSights {
  /** Returns a name to report, if it is confirmed and was not reported before. */
  add(sight: DnsSight, told: DnsTold): DnsSight | undefined
  /** Returns the name of a conversation that ends without an answer, and releases memory. */
  close(): DnsSight | undefined
}

const MAX_OPEN = 6

/**
 * Reports the name of the first answered message. Without an answer, reports that of the sixth
 * message, or of the last one at the end. Most conversations have a single name: resolvers use a
 * new port for each lookup. Later names are reported only if an answer has addresses. This excludes
 * DNS tunnels and names that do not exist.
 */
export function createDnsSights(budget: Budget): DnsSights {
  const given = new Set<string>()
  let open: DnsSight | undefined
  let messages = 0

  const letGo = () => {
    budget.used -= given.size
    given.clear()
  }
  const give = (sight: DnsSight): DnsSight | undefined => {
    open = undefined
    if (given.has(sight.host)) return undefined
    if (budget.used >= budget.limit) letGo()
    given.add(sight.host)
    budget.used += 1
    return sight
  }
  return {
    add(sight, { isAnswer, hasAddresses }) {
      messages += 1
      if (given.size > 0) return hasAddresses ? give(sight) : undefined
      open = sight
      return isAnswer || messages === MAX_OPEN ? give(sight) : undefined
    },
    close() {
      letGo()
      return open
    },
  }
}
