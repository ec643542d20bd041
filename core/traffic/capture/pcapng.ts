import { END_OF_INSTANTS } from '../../shared/dates.ts'
import { createFrame, type FrameReader, type FrameSink, MAX_FRAME_BYTES } from './frames.ts'
import type { Window } from './window.ts'

interface Interface {
  readonly linkType: number
  readonly snapBytes: number
  /** Length of one timestamp unit. */
  readonly unitMs: number
  readonly offsetMs: number
}

const SECTION = 0x0a0d0d0a
const BYTE_ORDER = 0x1a2b3c4d
const INTERFACE = 1
const OLD_PACKET = 2
const SIMPLE_PACKET = 3
const PACKET = 6
const SHORTEST = 12
const MAX_PACKET_BLOCK = MAX_FRAME_BYTES * 2
const MAX_OTHER_BLOCK = 1 << 24
const MAX_INTERFACES = 4096
const MAX_OPTIONS = 100
const OPTION_IPV4 = 4
const OPTION_IPV6 = 5
const OPTION_RESOLUTION = 9
const OPTION_OFFSET = 14

/** Whether four bytes start a pcapng file. */
export function isPcapng(view: DataView, at: number): boolean {
  return view.getUint32(at) === SECTION
}

/**
 * Creates a reader of pcapng files (draft-ietf-opsawg-pcapng) with any number of sections and
 * interfaces. After an invalid block, searches for the next valid one.
 */
export function createPcapngReader(window: Window, sink: FrameSink): FrameReader {
  const frame = createFrame()
  let interfaces: Interface[] = []
  let isLittle = true
  let isLost = false

  const damage = (reason: string) => sink.onDamage({ at: window.offset, reason })
  const u16 = (at: number) => window.view.getUint16(at, isLittle)
  const u32 = (at: number) => window.view.getUint32(at, isLittle)

  /**
   * Returns the length of the block at a position; 0 if invalid, undefined if more bytes are
   * needed.
   */
  const measureBlock = (at: number): number | undefined => {
    if (window.end - at < SHORTEST) return undefined
    const type = u32(at)
    const isBig = type === SECTION && window.view.getUint32(at + 8) === BYTE_ORDER
    const isOwn = type === SECTION && window.view.getUint32(at + 8, true) === BYTE_ORDER
    if (type === SECTION && !isBig && !isOwn) return 0
    const isBlockLittle = type === SECTION ? isOwn : isLittle
    const length = window.view.getUint32(at + 4, isBlockLittle)
    if (length < SHORTEST || length % 4 !== 0 || length > maxBlockBytes(type)) return 0
    if (length > MAX_PACKET_BLOCK) return length
    if (window.end - at < length) return undefined
    return window.view.getUint32(at + length - 4, isBlockLittle) === length ? length : 0
  }
  const emitFrame = (
    { linkType, unitMs, offsetMs }: Interface,
    place: { readonly at: number; readonly length: number; readonly timeAt: number | undefined },
  ) => {
    frame.bytes = window.bytes
    frame.view = window.view
    frame.at = place.at
    frame.end = place.at + place.length
    frame.linkType = linkType
    if (place.timeAt !== undefined) {
      const units = u32(place.timeAt) * 2 ** 32 + u32(place.timeAt + 4)
      frame.timeMs = clampTimestamp(units * unitMs + offsetMs)
    }
    sink.onFrame(frame)
  }
  /** Reads a packet block; `end` is the start of its trailing length. */
  const readPacket = (type: number, end: number) => {
    const body = window.at + 8
    const isSimple = type === SIMPLE_PACKET
    const dataAt = body + (isSimple ? 4 : 20)
    const index = isSimple ? 0 : type === OLD_PACKET ? u16(body) : u32(body)
    const from = interfaces[index]
    if (dataAt > end) return damage('Cannot read the packet: its block is too short')
    if (from === undefined) return damage(`Cannot read the packet: interface ${index} is unknown`)
    const simple = Math.min(u32(body), from.snapBytes || MAX_FRAME_BYTES, end - dataAt)
    const length = isSimple ? simple : u32(body + 12)
    if (length > MAX_FRAME_BYTES || dataAt + length > end) {
      return damage(`Cannot read the packet: its declared length of ${length} bytes is too large`)
    }
    emitFrame(from, { at: dataAt, length, timeAt: isSimple ? undefined : body + 4 })
  }
  const readBlock = (length: number) => {
    const { at } = window
    const type = u32(at)
    const end = at + length - 4
    if (type === SECTION) {
      isLittle = window.view.getUint32(at + 8, true) === BYTE_ORDER
      interfaces = []
    } else if (type === INTERFACE && length >= 20 && interfaces.length < MAX_INTERFACES) {
      const options = readOptions(window, { from: at + 16, end, isLittle }, sink)
      interfaces.push({ linkType: u16(at + 8), snapBytes: u32(at + 12), ...options })
    } else if (isPacketBlock(type)) {
      readPacket(type, end)
    }
  }
  const search = (): number => {
    let at = window.at
    for (; window.end - at >= SHORTEST; at += 1) {
      if (!isKnownBlock(u32(at))) continue
      const length = measureBlock(at)
      if (length === 0 || (length ?? 0) > MAX_PACKET_BLOCK) continue
      if (length !== undefined) isLost = false
      break
    }
    return at - window.at
  }

  return {
    read() {
      if (isLost) {
        const passed = search()
        if (isLost || passed > 0) return passed
      }
      const length = measureBlock(window.at)
      if (length === undefined) return 0
      if (length === 0) {
        damage('Cannot read the block: its lengths contradict each other')
        isLost = true
        return 1
      }
      if (length <= MAX_PACKET_BLOCK) readBlock(length)
      return length
    },
    finish() {
      const left = window.end - window.at
      if (left === 0 || isLost) return
      damage(`Cannot read the last block: the capture ends after ${left} bytes of it`)
      if (left > 28 && u32(window.at) === PACKET) {
        const from = interfaces[u32(window.at + 8)]
        const length = Math.min(u32(window.at + 20), left - 28)
        if (from) emitFrame(from, { at: window.at + 28, length, timeAt: window.at + 12 })
      }
    },
  }
}

/** Reads the options of an interface. */
function readOptions(
  { bytes, view }: Window,
  place: { readonly from: number; readonly end: number; readonly isLittle: boolean },
  sink: Pick<FrameSink, 'onOwnAddress'>,
): Omit<Interface, 'linkType' | 'snapBytes'> {
  const { from, end, isLittle } = place
  let unitMs = 1e-3
  let offsetMs = 0
  for (let at = from, count = 0; at + 4 <= end && count < MAX_OPTIONS; count += 1) {
    const code = view.getUint16(at, isLittle)
    const length = view.getUint16(at + 2, isLittle)
    const value = at + 4
    if (code === 0 || value + length > end) break
    if (code === OPTION_RESOLUTION && length === 1) unitMs = toUnitMs(bytes[value] ?? 6)
    if (code === OPTION_OFFSET && length === 8) {
      offsetMs = Number(view.getBigInt64(value, isLittle)) * 1000
    }
    if (code === OPTION_IPV4 && length === 8) sink.onOwnAddress(bytes.slice(value, value + 4))
    if (code === OPTION_IPV6 && length === 17) sink.onOwnAddress(bytes.slice(value, value + 16))
    at = value + length + (-length & 3)
  }
  return { unitMs, offsetMs }
}

function isPacketBlock(type: number): boolean {
  return type === PACKET || type === OLD_PACKET || type === SIMPLE_PACKET
}

function isKnownBlock(type: number): boolean {
  return type === SECTION || (type >= INTERFACE && type <= PACKET)
}

function maxBlockBytes(type: number): number {
  return isPacketBlock(type) || type === INTERFACE || type === SECTION
    ? MAX_PACKET_BLOCK
    : MAX_OTHER_BLOCK
}

/** Converts `if_tsresol`: a negative power of 10, or of 2 if the highest bit is set, in seconds. */
function toUnitMs(resolution: number): number {
  const power = resolution & 0x7f
  return 1000 * (resolution & 0x80 ? 2 ** -power : 10 ** -power)
}

/** Returns 0 for invalid times. */
function clampTimestamp(ms: number): number {
  return ms >= 0 && ms < END_OF_INSTANTS ? Math.floor(ms) : 0
}
