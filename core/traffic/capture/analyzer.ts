import type { Flow } from '../flow.ts'
import type { AddressWords } from './addresses.ts'
import { createApplicationReader } from './application.ts'
import type { Budget } from './byte-buffer.ts'
import {
  type Conversation,
  type ConversationTable,
  createConversationTable,
  type End,
} from './conversations.ts'
import { createDnsNames, type DnsName, readDns } from './dns.ts'
import { createFlowBuilder, type FlowObservation, getTransport } from './flow-builder.ts'
import { type Packet, TCP } from './packets.ts'
import { createQuicReader, isQuic } from './quic.ts'
import { createTcpStream, type Span, type TcpStream } from './tcp-stream.ts'
import { readDtlsHello } from './tls.ts'

/** Converts packets to flows. */
export interface Analyzer {
  add(packet: Packet): void
  addOwnAddress(address: AddressWords): void
  /** Emits the flows of all conversations that have none yet. */
  end(): void
}

export interface AnalyzerOptions {
  readonly ownAddresses: readonly string[]
  readonly onFlow: (flow: Flow) => void
}

const DNS_PORT = 53
const MULTICAST_DNS_PORT = 5353
const DNS_PORTS: readonly number[] = [DNS_PORT, MULTICAST_DNS_PORT]
const FIN = 1
const SYN = 2
const RST = 4
const ACK = 16
const MAX_UNKNOWN = 8
const MAX_QUIC_DATAGRAMS = 16
const MAX_BUFFERED_BYTES = 1 << 25
const MAX_NAMES = 1 << 17

/**
 * Follows each conversation until it shows a host name (TLS, QUIC) or proves to have none. Each
 * HTTP request is a flow; DNS names become flows as described at `createDnsNames`. A conversation
 * without a name gets the name that an earlier DNS answer has for its address.
 */
export function createAnalyzer({ ownAddresses, onFlow }: AnalyzerOptions): Analyzer {
  const flows = createFlowBuilder(ownAddresses)
  const budget: Budget = { used: 0, limit: MAX_BUFFERED_BYTES }
  const names: Budget = { used: 0, limit: MAX_NAMES }
  let nowMs = 0

  const emitFlow = (conversation: Conversation, sight: FlowObservation) => {
    conversation.isReported = true
    const flow = flows.toFlow(conversation, sight)
    if (flow !== undefined) onFlow(flow)
  }
  const emitDnsName = (conversation: Conversation, sight: DnsName | undefined) => {
    if (sight !== undefined) emitFlow(conversation, { ...sight, via: 'dns', protocol: 'dns' })
  }
  const finishConversation = (conversation: Conversation) => {
    closeReaders(conversation)
    conversation.isDone = true
    emitDnsName(conversation, conversation.names?.close())
    conversation.names = undefined
    if (conversation.isReported) return
    const protocol = conversation.recognized ?? getTransport(conversation)
    emitFlow(conversation, { host: undefined, via: 'address', protocol })
  }
  const table = createConversationTable({ nameOf: flows.findName, onEnd: finishConversation })

  const addDns = (
    conversation: Conversation,
    message: { readonly bytes: Uint8Array } & Span,
    from: End,
  ): boolean => {
    const dns = readDns(message.bytes, message)
    if (dns === undefined) return false
    conversation.client = dns.isResponse ? getOppositeEnd(from) : from
    conversation.recognized = 'dns'
    const { name: host, isAnswer } = dns
    if (host === undefined) return true
    // Multicast DNS announces local services, not remote hosts.
    const addresses = isMulticastDns(conversation) ? [] : dns.addresses
    conversation.names ??= createDnsNames(names)
    const told = { isAnswer, hasAddresses: addresses.length > 0 }
    emitDnsName(conversation, conversation.names.add({ host, at: nowMs }, told))
    flows.recordName(host, addresses)
    return true
  }

  const addTcp = createTcpReader({
    table,
    budget,
    emitFlow,
    addDns,
    finishConversation,
    now: () => nowMs,
  })
  const addQuic = (
    conversation: Conversation,
    datagram: { readonly bytes: Uint8Array } & Span,
    from: End,
  ) => {
    conversation.quicClient ??= from
    if (conversation.quicClient !== from) return
    conversation.quic ??= createQuicReader(budget)
    const hello = conversation.quic.read(datagram.bytes, datagram)
    if (hello.kind === 'client') {
      conversation.client = from
      conversation.isDone = true
      emitFlow(conversation, { host: hello.host, via: 'quic', protocol: 'quic' })
      finishConversation(conversation)
      return
    }
    conversation.recognized = 'quic'
    conversation.unknownPackets += 1
    if (hello.kind === 'none') {
      // This may be the server's direction, so also accept the other one.
      conversation.quic.close()
      conversation.quic = undefined
      conversation.quicClient = undefined
    }
    if (conversation.unknownPackets >= MAX_QUIC_DATAGRAMS) finishConversation(conversation)
  }
  const addUdp = (packet: Packet) => {
    const { bytes, view, at } = packet
    const conversation = table.find(packet)
    if (conversation.isDone) return
    const from: End = table.isFromFirst() ? 'first' : 'second'
    const length = view.getUint16(at + 4)
    const datagram = {
      bytes,
      at: at + 8,
      end: length >= 8 ? Math.min(packet.end, at + length) : packet.end,
    }
    const isDns = DNS_PORTS.includes(packet.sourcePort) || DNS_PORTS.includes(packet.targetPort)
    if (isDns && addDns(conversation, datagram, from)) return
    if (conversation.quic !== undefined || isQuic(bytes, datagram)) {
      addQuic(conversation, datagram, from)
      return
    }
    const dtls = readDtlsHello(bytes, datagram)
    if (dtls.kind === 'client') {
      conversation.client = from
      emitFlow(conversation, { host: dtls.host, via: 'tls', protocol: 'tls' })
      finishConversation(conversation)
      return
    }
    conversation.unknownPackets += 1
    if (conversation.unknownPackets >= MAX_UNKNOWN) finishConversation(conversation)
  }

  return {
    add(packet) {
      nowMs = packet.timeMs
      table.sweep(nowMs)
      if (packet.protocol === TCP) addTcp(packet)
      else addUdp(packet)
    },
    addOwnAddress: flows.addOwnAddress,
    end: table.endAll,
  }
}

/** Actions of the analyzer that conversations over TCP need. */
interface TcpDeps {
  readonly table: ConversationTable
  readonly budget: Budget
  emitFlow(conversation: Conversation, sight: FlowObservation): void
  addDns(
    conversation: Conversation,
    message: { readonly bytes: Uint8Array } & Span,
    from: End,
  ): void
  finishConversation(conversation: Conversation): void
  /** Time of the current packet. */
  now(): number
}

/** Follows each direction of conversations over TCP as a stream. */
function createTcpReader(deps: TcpDeps): (packet: Packet) => void {
  const { table, budget, emitFlow, addDns, finishConversation, now } = deps

  const openStream = (conversation: Conversation, from: End): TcpStream => {
    const isDns = conversation.firstPort === DNS_PORT || conversation.secondPort === DNS_PORT
    const reader = createApplicationReader(
      {
        onRequest(request) {
          conversation.client = from
          conversation.recognized = 'http'
          const { host } = request
          emitFlow(conversation, { host, via: 'http', protocol: 'http', at: now(), request })
        },
        onHello(host) {
          conversation.client = from
          conversation.recognized = 'tls'
          conversation.isDone = true
          emitFlow(conversation, { host, via: 'tls', protocol: 'tls' })
        },
        onDns(bytes, span) {
          addDns(conversation, { bytes, ...span }, from)
        },
        onServer(protocol) {
          conversation.client = getOppositeEnd(from)
          conversation.recognized ??= protocol
        },
        onNothing() {},
      },
      { isDns },
    )
    return createTcpStream(reader, budget)
  }
  const streamOf = (conversation: Conversation, from: End): TcpStream => {
    const known = from === 'first' ? conversation.firstStream : conversation.secondStream
    if (known !== undefined) return known
    const stream = openStream(conversation, from)
    const sequence = from === 'first' ? conversation.firstSequence : conversation.secondSequence
    if (sequence !== undefined) stream.begin(sequence)
    if (from === 'first') conversation.firstStream = stream
    else conversation.secondStream = stream
    return stream
  }
  return (packet) => {
    const { bytes, view, at, end } = packet
    if (end - at < 20) return
    const flags = bytes[at + 13] ?? 0
    const isSyn = (flags & SYN) !== 0
    let conversation = table.find(packet)
    const isUsed = conversation.hasData || conversation.isDone || conversation.isClosing
    if (isSyn && (flags & ACK) === 0 && isUsed) {
      table.end(conversation)
      conversation = table.find(packet)
    }
    if (conversation.isDone) return
    const from: End = table.isFromFirst() ? 'first' : 'second'
    const sequence = view.getUint32(at + 4)
    if (isSyn) {
      conversation.client = (flags & ACK) === 0 ? from : getOppositeEnd(from)
      const next = (sequence + 1) >>> 0
      if (from === 'first') conversation.firstSequence = next
      else conversation.secondSequence = next
    }
    const dataAt = at + ((bytes[at + 12] ?? 0) >> 4) * 4
    if (dataAt >= at + 20 && dataAt < end && !isSyn) {
      conversation.hasData = true
      streamOf(conversation, from).add({ bytes, at: dataAt, end, sequence })
      const { firstStream, secondStream } = conversation
      const isOver = firstStream?.isOver() === true && secondStream?.isOver() === true
      if (isOver || conversation.isDone) finishConversation(conversation)
    }
    if ((flags & (RST | FIN)) === 0) return
    if ((flags & RST) !== 0 || conversation.isClosing) finishConversation(conversation)
    else conversation.isClosing = true
  }
}

function closeReaders(conversation: Conversation): void {
  conversation.firstStream?.close()
  conversation.secondStream?.close()
  conversation.firstStream = undefined
  conversation.secondStream = undefined
  conversation.quic?.close()
  conversation.quic = undefined
}

function isMulticastDns({ firstPort, secondPort }: Conversation): boolean {
  return firstPort === MULTICAST_DNS_PORT || secondPort === MULTICAST_DNS_PORT
}

function getOppositeEnd(end: End): End {
  return end === 'first' ? 'second' : 'first'
}
