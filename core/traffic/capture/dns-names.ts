import type { Budget } from './byte-buffer.ts'

/** A requested name. */
export interface DnsName {
  readonly host: string
  /** Milliseconds since the epoch. */
  readonly at: number
}

/** Properties of a DNS message about a name. */
export interface DnsMessageSummary {
  /** Whether it is a response with records of any kind. */
  readonly isAnswer: boolean
  /** Whether its answers contain addresses. */
  readonly hasAddresses: boolean
}

/** Names seen in the DNS messages of one conversation. */
export interface DnsNames {
  /** Returns a name to report, if it is confirmed and was not reported before. */
  add(sight: DnsName, told: DnsMessageSummary): DnsName | undefined
  /** Returns the name of a conversation that ends without an answer, and releases memory. */
  close(): DnsName | undefined
}

const MAX_OPEN = 6

/**
 * Reports the name of the first answered message. Without an answer, reports that of the sixth
 * message, or of the last one at the end. Most conversations have a single name: resolvers use a
 * new port for each lookup. Later names are reported only if an answer has addresses. This excludes
 * DNS tunnels and names that do not exist.
 */
export function createDnsNames(budget: Budget): DnsNames {
  const reported = new Set<string>()
  let open: DnsName | undefined
  let messages = 0

  const release = () => {
    budget.used -= reported.size
    reported.clear()
  }
  const report = (sight: DnsName): DnsName | undefined => {
    open = undefined
    if (reported.has(sight.host)) return undefined
    if (budget.used >= budget.limit) release()
    reported.add(sight.host)
    budget.used += 1
    return sight
  }
  return {
    add(sight, { isAnswer, hasAddresses }) {
      messages += 1
      if (reported.size > 0) return hasAddresses ? report(sight) : undefined
      open = sight
      return isAnswer || messages === MAX_OPEN ? report(sight) : undefined
    },
    close() {
      release()
      return open
    },
  }
}
