import type { AddressWords } from './addresses.ts'
import type { DnsNames } from './dns.ts'
import type { Sender } from './link-layers.ts'
import type { Packet } from './packets.ts'
import type { QuicReader } from './quic.ts'
import type { TcpStream } from './tcp-stream.ts'

/** End of a conversation: `first` sent its first packet. */
export type End = 'first' | 'second'

/** State of the packets between two ports; updated by each packet. */
export interface Conversation {
  readonly protocol: number
  readonly first: AddressWords
  readonly second: AddressWords
  readonly firstPort: number
  readonly secondPort: number
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  /** Side that captured, if the link layer contains it. */
  readonly sender: Sender
  lastAt: number
  /** Further packets of the conversation are ignored. */
  isDone: boolean
  /** A flow of the conversation was emitted. */
  isReported: boolean
  /** End that sends requests, if known. */
  client: End | undefined
  /** Number of packets with unrecognised content. */
  unknownPackets: number
  /** Whether one end has closed its side of a TCP connection. */
  isClosing: boolean
  /** Whether bytes were sent over TCP. */
  hasData: boolean
  /** First sequence number of each end's data, if its SYN was captured. */
  firstSequence: number | undefined
  secondSequence: number | undefined
  /** Highest recognised protocol. */
  recognized: string | undefined
  /** Name of the second end's address in an earlier DNS answer. */
  readonly dnsName: string | undefined
  firstStream: TcpStream | undefined
  secondStream: TcpStream | undefined
  quic: QuicReader | undefined
  quicClient: End | undefined
  names: DnsNames | undefined
  /** Next conversation with the same hash. */
  next: Conversation | undefined
}

/** Bounded table of open conversations. */
export interface ConversationTable {
  /** Finds the conversation of a packet and its direction; starts one if needed. */
  find(packet: Packet): Conversation
  /** Whether the packet of the last `find` came from the conversation's first end. */
  isFromFirst(): boolean
  /** Removes a conversation, then calls `onEnd`. */
  end(conversation: Conversation): void
  /** Ends idle conversations; does work only at intervals. */
  sweep(timeMs: number): void
  endAll(): void
}

export interface ConversationOptions {
  readonly maxConversations?: number
  readonly nameOf: (address: AddressWords) => string | undefined
  readonly onEnd: (conversation: Conversation) => void
}

const MAX_CONVERSATIONS = 1 << 15
const IDLE_MS = 120_000
const SWEEP_MS = 30_000
const SWEPT_EACH = 16

/**
 * Creates a table of conversations by protocol, addresses and ports. Conversations end after two
 * minutes of inactivity, in the capture's time. A full table ends the half that was idle longest.
 */
export function createConversationTable({
  maxConversations = MAX_CONVERSATIONS,
  nameOf,
  onEnd,
}: ConversationOptions): ConversationTable {
  const table = new Map<number, Conversation>()
  let count = 0
  let fromFirst = true
  let sweptAt: number | undefined
  let sweeps = 0

  const remove = (conversation: Conversation) => {
    const hash = hashConversation(conversation)
    let before: Conversation | undefined
    let at = table.get(hash)
    while (at !== undefined && at !== conversation) {
      before = at
      at = at.next
    }
    if (at === undefined) return
    if (before !== undefined) before.next = at.next
    else if (at.next !== undefined) table.set(hash, at.next)
    else table.delete(hash)
    count -= 1
  }
  const end = (conversation: Conversation) => {
    remove(conversation)
    onEnd(conversation)
  }
  const listConversations = (): Conversation[] => {
    const found: Conversation[] = []
    for (const head of table.values()) {
      for (let at: Conversation | undefined = head; at !== undefined; at = at.next) found.push(at)
    }
    return found
  }
  const makeRoom = () => {
    const times = Float64Array.from(listConversations(), ({ lastAt }) => lastAt).sort()
    const middle = times[times.length >> 1] ?? 0
    let left = count >> 1
    for (const conversation of listConversations()) {
      if (conversation.lastAt > middle || left === 0) continue
      left -= 1
      end(conversation)
    }
  }
  const beginConversation = (packet: Packet, hash: number): Conversation => {
    if (count >= maxConversations) makeRoom()
    const conversation = createConversation(packet, { nameOf, next: table.get(hash) })
    table.set(hash, conversation)
    count += 1
    return conversation
  }

  return {
    find(packet) {
      const { addresses, sourcePort, targetPort, protocol } = packet
      const a = foldAddress(addresses, 0)
      const b = foldAddress(addresses, 4)
      const hash = hashEnds({ a, b, sourcePort, targetPort, protocol })
      for (let at = table.get(hash); at !== undefined; at = at.next) {
        if (at.protocol !== protocol) continue
        if (
          at.firstPort === sourcePort &&
          at.secondPort === targetPort &&
          isSameAddress(at.first, addresses, 0) &&
          isSameAddress(at.second, addresses, 4)
        ) {
          fromFirst = true
          at.lastAt = packet.timeMs
          return at
        }
        if (
          at.firstPort === targetPort &&
          at.secondPort === sourcePort &&
          isSameAddress(at.first, addresses, 4) &&
          isSameAddress(at.second, addresses, 0)
        ) {
          fromFirst = false
          at.lastAt = packet.timeMs
          return at
        }
      }
      fromFirst = true
      return beginConversation(packet, hash)
    },
    isFromFirst: () => fromFirst,
    end,
    sweep(timeMs) {
      if (sweptAt !== undefined && timeMs >= sweptAt && timeMs - sweptAt < SWEEP_MS) return
      // Non-monotonic times must not cause a full scan for each packet.
      sweeps += 1
      if (sweeps * SWEPT_EACH < count) return
      sweeps = 0
      const isFirst = sweptAt === undefined
      sweptAt = timeMs
      if (isFirst) return
      for (const conversation of listConversations()) {
        if (timeMs - conversation.lastAt > IDLE_MS) end(conversation)
      }
    },
    endAll() {
      for (const conversation of listConversations()) end(conversation)
    },
  }
}

function createConversation(
  { protocol, addresses, sourcePort, targetPort, timeMs, sender }: Packet,
  { nameOf, next }: Pick<ConversationOptions, 'nameOf'> & Pick<Conversation, 'next'>,
): Conversation {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = addresses
  const second: AddressWords = [e, f, g, h]
  return {
    protocol,
    first: [a, b, c, d],
    second,
    firstPort: sourcePort,
    secondPort: targetPort,
    startedAt: timeMs,
    sender,
    lastAt: timeMs,
    isDone: false,
    isReported: false,
    client: undefined,
    unknownPackets: 0,
    isClosing: false,
    hasData: false,
    firstSequence: undefined,
    secondSequence: undefined,
    recognized: undefined,
    dnsName: nameOf(second),
    firstStream: undefined,
    secondStream: undefined,
    quic: undefined,
    quicClient: undefined,
    names: undefined,
    next,
  }
}

function hashConversation({
  first,
  second,
  firstPort,
  secondPort,
  protocol,
}: Conversation): number {
  const [a, b] = [foldAddress(first, 0), foldAddress(second, 0)]
  return hashEnds({ a, b, sourcePort: firstPort, targetPort: secondPort, protocol })
}

function foldAddress(words: AddressWords | Uint32Array, at: number): number {
  const high = Math.imul(words[at] ?? 0, 31) + (words[at + 1] ?? 0)
  return Math.imul(Math.imul(high, 31) + (words[at + 2] ?? 0), 31) ^ (words[at + 3] ?? 0)
}

/** Hashes both directions to the same value. */
function hashEnds({
  a,
  b,
  sourcePort,
  targetPort,
  protocol,
}: {
  readonly a: number
  readonly b: number
  readonly sourcePort: number
  readonly targetPort: number
  readonly protocol: number
}): number {
  const source = Math.imul(a ^ Math.imul(sourcePort, 0x9e3779b1), 0x85ebca6b)
  const target = Math.imul(b ^ Math.imul(targetPort, 0x9e3779b1), 0x85ebca6b)
  const both = (source ^ (source >>> 15)) + (target ^ (target >>> 15)) + protocol
  return Math.imul(both ^ (both >>> 13), 0xc2b2ae35) & 0x3fffffff
}

function isSameAddress(words: AddressWords, addresses: Uint32Array, at: number): boolean {
  return (
    words[3] === addresses[at + 3] &&
    words[2] === addresses[at + 2] &&
    words[1] === addresses[at + 1] &&
    words[0] === addresses[at]
  )
}
