import { concatBytes } from '../../core/shared/bytes.ts'

/** A frame with its time in milliseconds since the epoch. */
export interface TimedFrame {
  readonly timeMs: number
  readonly frame: Uint8Array
  /** Length of the frame before truncation. */
  readonly wholeBytes?: number
}

export interface PcapParts {
  readonly linkType?: number
  readonly isBig?: boolean
  readonly isNano?: boolean
  /** Kuznetzov's format, with 8 additional bytes per record. */
  readonly isModified?: boolean
}

export interface Block {
  readonly type: number
  readonly body: Uint8Array
}

/** 2026-01-02T03:04:05.678Z, the start of generated captures. */
export const START_MS = 1_767_323_045_678

/** Builds frames one millisecond apart. */
export function timed(frames: readonly Uint8Array[], startMs = START_MS): readonly TimedFrame[] {
  return frames.map((frame, index) => ({ frame, timeMs: startMs + index }))
}

/** Builds a pcap file. */
export function pcap(
  frames: readonly TimedFrame[],
  { linkType = 1, isBig = false, isNano = false, isModified = false }: PcapParts = {},
): Uint8Array {
  const magic = isNano ? 0xa1b23c4d : isModified ? 0xa1b2cd34 : 0xa1b2c3d4
  const number = (value: number) => word(value, isBig)
  const head = [magic, isBig ? 0x00020004 : 0x00040002, 0, 0, 262_144, linkType].map(number)
  const records = frames.flatMap(({ timeMs, frame, wholeBytes = frame.length }) => [
    number(Math.floor(timeMs / 1000)),
    number((timeMs % 1000) * (isNano ? 1e6 : 1e3)),
    number(frame.length),
    number(wholeBytes),
    new Uint8Array(isModified ? 8 : 0),
    frame,
  ])
  return concatBytes([...head, ...records])
}

/** Builds a pcapng section with its header. */
export function pcapng(blocks: readonly Block[], isBig = false): Uint8Array {
  const number = (value: number) => word(value, isBig)
  const version = isBig ? [0, 1, 0, 0] : [1, 0, 0, 0]
  const header = concatBytes([
    number(0x1a2b3c4d),
    Uint8Array.from(version),
    new Uint8Array(8).fill(255),
  ])
  const all = [{ type: 0x0a0d0d0a, body: header }, ...blocks]
  return concatBytes(
    all.flatMap(({ type, body }) => {
      const padded = concatBytes([body, new Uint8Array(-body.length & 3)])
      const length = number(padded.length + 12)
      return [number(type), length, padded, length]
    }),
  )
}

/** Builds an Interface Description Block; options are codes with values. */
export function interfaceBlock(
  linkType: number,
  {
    options = [],
    isBig = false,
  }: {
    readonly options?: readonly (readonly [code: number, value: Uint8Array])[]
    readonly isBig?: boolean
  } = {},
): Block {
  const listed = options.flatMap(([code, value]) => [
    half(code, isBig),
    half(value.length, isBig),
    value,
    new Uint8Array(-value.length & 3),
  ])
  const head = [half(linkType, isBig), half(0, isBig), word(0, isBig)]
  return { type: 1, body: concatBytes([...head, ...listed]) }
}

/** Builds an Enhanced Packet Block; `unitsPerMs` is the time resolution of the interface. */
export function packetBlock(
  { timeMs, frame }: TimedFrame,
  {
    id = 0,
    unitsPerMs = 1000,
    isBig = false,
  }: { readonly id?: number; readonly unitsPerMs?: number; readonly isBig?: boolean } = {},
): Block {
  const units = BigInt(timeMs) * BigInt(unitsPerMs)
  const numbers = [
    id,
    Number(units >> 32n),
    Number(units & 0xffffffffn),
    frame.length,
    frame.length,
  ]
  return { type: 6, body: concatBytes([...numbers.map((value) => word(value, isBig)), frame]) }
}

/** Builds a Simple Packet Block. */
export function simpleBlock(frame: Uint8Array): Block {
  return { type: 3, body: concatBytes([word(frame.length, false), frame]) }
}

function word(value: number, isBig: boolean): Uint8Array {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setUint32(0, value, !isBig)
  return bytes
}

function half(value: number, isBig: boolean): Uint8Array {
  const bytes = new Uint8Array(2)
  new DataView(bytes.buffer).setUint16(0, value, !isBig)
  return bytes
}
