import type { Flow, NamedVia } from '../flow.ts'
import { readOwnAddresses } from '../own-addresses.ts'
import { type AddressWords, formatAddress, isNonUnicast, isPrivate } from './addresses.ts'
import type { Conversation, End } from './conversations.ts'
import { type RequestHead, toRequestUrl } from './http.ts'
import { TCP } from './packets.ts'

/** Observation about a conversation. */
export interface FlowObservation {
  /** Undefined if the conversation shows no name. */
  readonly host: string | undefined
  readonly via: NamedVia
  readonly protocol: string
  /** Milliseconds since the epoch; defaults to the start of the conversation. */
  readonly at?: number
  readonly request?: RequestHead
}

/** Converts conversations to flows and records the names of addresses. */
export interface FlowBuilder {
  /** Undefined for a conversation with a multicast or broadcast address that shows no name. */
  toFlow(conversation: Conversation, sight: FlowObservation): Flow | undefined
  /** Records a name for addresses, as found in a DNS answer. */
  recordName(name: string, addresses: readonly AddressWords[]): void
  findName(address: AddressWords): string | undefined
  addOwnAddress(address: AddressWords): void
}

const MAX_NAMES = 1 << 16
const FIRST_FREE_PORT = 1024

/**
 * Determines a flow's remote end. The own end is the first that applies: the only one in
 * `ownAddresses` or of the capturing interface; the capturing side of a cooked capture; the private
 * one of a private and a public address; the client.
 */
export function createFlowBuilder(ownAddresses: readonly string[]): FlowBuilder {
  const own = readOwnAddresses(ownAddresses)
  const names = new Map<string, string>()
  const ownEnd = (conversation: Conversation, client: End): End => {
    const { first, second, sender } = conversation
    if (!own.isEmpty) {
      const isFirst = own.has(first)
      if (isFirst !== own.has(second)) return isFirst ? 'first' : 'second'
    }
    if (sender !== undefined && !isLoopback(first)) return sender === 'us' ? 'first' : 'second'
    const isFirst = isPrivate(first)
    if (isFirst !== isPrivate(second) && !isNonUnicast(first) && !isNonUnicast(second)) {
      return isFirst ? 'first' : 'second'
    }
    return client
  }
  const nameOf = (address: AddressWords) =>
    names.size === 0 ? undefined : names.get(address.join())

  return {
    toFlow(conversation, { host, via, protocol, at, request }) {
      const client = conversation.client ?? guessClient(conversation)
      const ours = ownEnd(conversation, client)
      const isSecond = ours === 'first'
      const address = isSecond ? conversation.second : conversation.first
      if (host === undefined && isNonUnicast(address)) return undefined
      const known = host ?? (isSecond ? conversation.dnsName : nameOf(address))
      const ip = formatAddress(address)
      return {
        ip,
        port: client === 'first' ? conversation.secondPort : conversation.firstPort,
        host: known,
        via: host !== undefined ? via : known === undefined ? 'address' : 'dns',
        direction: ours === client ? 'Outgoing' : 'Incoming',
        capturedAt: at ?? conversation.startedAt,
        protocol,
        method: request?.method,
        url: request && toRequestUrl(request, known ?? ip),
      }
    },
    recordName(name, addresses) {
      for (const address of addresses) {
        if (isNonUnicast(address) || isLoopback(address)) continue
        const key = address.join()
        names.delete(key)
        const [oldest] = names.size < MAX_NAMES ? [] : names.keys()
        if (oldest !== undefined) names.delete(oldest)
        names.set(key, name)
      }
    },
    findName: nameOf,
    addOwnAddress: own.add,
  }
}

/** Returns the transport protocol of a conversation. */
export function getTransport({ protocol }: Conversation): string {
  return protocol === TCP ? 'tcp' : 'udp'
}

/**
 * Guesses the client if the start was not captured: the end without a service port, else the first
 * sender.
 */
function guessClient({ firstPort, secondPort }: Conversation): End {
  return firstPort < FIRST_FREE_PORT && secondPort >= FIRST_FREE_PORT ? 'second' : 'first'
}

function isLoopback([a, b, c, d]: AddressWords): boolean {
  return (
    (c === 0xffff && d >>> 24 === 127 && a === 0 && b === 0) || (!a && !b && c === 0 && d === 1)
  )
}
