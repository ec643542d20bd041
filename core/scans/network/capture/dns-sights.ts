import type { Budget } from './held-bytes.ts'

/** A name that was asked for. */
export interface DnsSight {
  readonly host: string
  /** Milliseconds since the epoch. */
  readonly at: number
}

/** What a message about a name tells besides it. */
export interface DnsTold {
  /** It is a response that has records of any kind. */
  readonly isAnswer: boolean
  /** Its answers give the name addresses. */
  readonly hasAddresses: boolean
}

/** The names that the DNS messages of one conversation show. */
export interface DnsSights {
  /** The sight that is certain now and was not given before. */
  add(sight: DnsSight, told: DnsTold): DnsSight | undefined
  /** The name of a conversation that ends without an answer; lets go what is held. */
  close(): DnsSight | undefined
}

const MAX_OPEN = 6

/**
 * A conversation has the name of its first answer, or of the last message where none of the first
 * six is one. Most ask for nothing else: resolvers take a new port for each name. Of those that
 * keep one, each further name counts that an answer gives addresses, but neither what tunnels
 * carry in names nor names that do not exist.
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
