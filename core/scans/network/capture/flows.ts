import type { Flow, NamedVia } from '../flow.ts'
import { readOwnAddresses } from '../own-addresses.ts'
import { type AddressWords, formatAddress, isManyHosts, isPrivate } from './addresses.ts'
import type { Conversation, End } from './conversations.ts'
import { type RequestHead, toRequestUrl } from './http.ts'
import { TCP } from './packets.ts'

/** What a conversation showed. */
export interface Sight {
  /** Undefined where no name was seen in it. */
  readonly host: string | undefined
  readonly via: NamedVia
  readonly protocol: string
  /** Milliseconds since the epoch; the conversation's beginning when it is undefined. */
  readonly at?: number
  readonly request?: RequestHead
}

/** Makes flows of conversations, and knows the names of addresses. */
export interface FlowMaker {
  /** The flow; undefined for one to many hosts at once that shows no name. */
  toFlow(conversation: Conversation, sight: Sight): Flow | undefined
  /** A name for addresses, as a DNS answer gives it. */
  learn(name: string, addresses: readonly AddressWords[]): void
  nameOf(address: AddressWords): string | undefined
  addOwnAddress(address: AddressWords): void
}

const MAX_NAMES = 1 << 16
const FIRST_FREE_PORT = 1024

/**
 * Which end is the other one: not the one of `ownAddresses` or of the interface that captured;
 * else not the one that sent or got the packet in a cooked capture; else the public one of a
 * private and a public one; else the one that was asked.
 */
export function createFlowMaker(ownAddresses: readonly string[]): FlowMaker {
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
    if (isFirst !== isPrivate(second) && !isManyHosts(first) && !isManyHosts(second)) {
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
      if (host === undefined && isManyHosts(address)) return undefined
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
    learn(name, addresses) {
      for (const address of addresses) {
        if (isManyHosts(address) || isLoopback(address)) continue
        const key = address.join()
        names.delete(key)
        const [oldest] = names.size < MAX_NAMES ? [] : names.keys()
        if (oldest !== undefined) names.delete(oldest)
        names.set(key, name)
      }
    },
    nameOf,
    addOwnAddress: own.add,
  }
}

/** The protocol that carries a conversation. */
export function carrierOf({ protocol }: Conversation): string {
  return protocol === TCP ? 'tcp' : 'udp'
}

/** Where the beginning was not seen: the end whose port is no service's, else who sent first. */
function guessClient({ firstPort, secondPort }: Conversation): End {
  return firstPort < FIRST_FREE_PORT && secondPort >= FIRST_FREE_PORT ? 'second' : 'first'
}

function isLoopback([a, b, c, d]: AddressWords): boolean {
  return (
    (c === 0xffff && d >>> 24 === 127 && a === 0 && b === 0) || (!a && !b && c === 0 && d === 1)
  )
}
