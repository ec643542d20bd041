import { createFrame, type FrameReader, type FrameSink, MAX_FRAME_BYTES } from './frames.ts'
import type { Window } from './window.ts'

/** Layout of a pcap file, from its first bytes. */
interface Layout {
  readonly isLittle: boolean
  readonly unitsPerMs: number
  readonly recordBytes: number
}

const FILE_HEADER = 24
const RECORD_HEADER = 16
/** Kuznetzov's variant has 8 more bytes in each record header. */
const LONG_RECORD_HEADER = 24
const DAY_S = 86_400
const LAYOUTS: ReadonlyMap<number, Omit<Layout, 'isLittle'>> = new Map([
  [0xa1b2c3d4, { unitsPerMs: 1e3, recordBytes: RECORD_HEADER }],
  [0xa1b23c4d, { unitsPerMs: 1e6, recordBytes: RECORD_HEADER }],
  [0xa1b2cd34, { unitsPerMs: 1e3, recordBytes: LONG_RECORD_HEADER }],
])

/** Whether four bytes start a pcap file, in either byte order. */
export function isPcap(view: DataView, at: number): boolean {
  return LAYOUTS.has(view.getUint32(at)) || LAYOUTS.has(view.getUint32(at, true))
}

/**
 * Creates a reader of pcap files (draft-ietf-opsawg-pcap). After an invalid record, searches byte
 * by byte for two consecutive valid ones.
 */
export function createPcapReader(window: Window, sink: FrameSink): FrameReader {
  const frame = createFrame()
  let layout: Layout | undefined
  let isLost = false
  let lastSeconds = 0

  const readHeader = (): number => {
    if (window.end - window.at < FILE_HEADER) return 0
    const isLittle = LAYOUTS.has(window.view.getUint32(window.at, true))
    const found = LAYOUTS.get(window.view.getUint32(window.at, isLittle))
    if (found === undefined) return FILE_HEADER
    layout = { ...found, isLittle }
    // The upper bits describe frame check sequences.
    frame.linkType = window.view.getUint32(window.at + 20, isLittle) & 0xffff
    return FILE_HEADER
  }
  const emitFrame = ({ isLittle, unitsPerMs, recordBytes }: Layout, length: number) => {
    const { bytes, view, at } = window
    lastSeconds = view.getUint32(at, isLittle)
    frame.bytes = bytes
    frame.view = view
    frame.at = at + recordBytes
    frame.end = frame.at + length
    const fraction = Math.min(999, Math.floor(view.getUint32(at + 4, isLittle) / unitsPerMs))
    frame.timeMs = lastSeconds * 1000 + fraction
    sink.onFrame(frame)
  }
  /**
   * Returns the length of the record that may start here; 0 if invalid, undefined if more bytes are
   * needed.
   */
  const mayBegin = ({ isLittle, recordBytes }: Layout, at: number): number | undefined => {
    if (window.end - at < recordBytes) return undefined
    const { view } = window
    const length = view.getUint32(at + 8, isLittle)
    const whole = view.getUint32(at + 12, isLittle)
    const gap = Math.abs(view.getUint32(at, isLittle) - lastSeconds)
    const isLike = length > 0 && length <= whole && whole <= MAX_FRAME_BYTES
    return isLike && (lastSeconds === 0 || gap < DAY_S) ? recordBytes + length : 0
  }
  const search = (known: Layout): number => {
    let at = window.at
    for (; at < window.end; at += 1) {
      const length = mayBegin(known, at)
      if (length === undefined) break
      if (length === 0) continue
      const following = mayBegin(known, at + length)
      if (following === undefined) break
      if (following === 0) continue
      isLost = false
      break
    }
    return at - window.at
  }

  return {
    read() {
      if (layout === undefined) return readHeader()
      if (isLost) {
        const passed = search(layout)
        if (isLost || passed > 0) return passed
      }
      const { recordBytes, isLittle } = layout
      if (window.end - window.at < recordBytes) return 0
      const length = window.view.getUint32(window.at + 8, isLittle)
      if (length > MAX_FRAME_BYTES) {
        const reason = `Cannot read the record: its declared length of ${length} bytes is too large`
        sink.onDamage({ at: window.offset, reason })
        isLost = true
        return 1
      }
      if (window.end - window.at < recordBytes + length) return 0
      emitFrame(layout, length)
      return recordBytes + length
    },
    finish() {
      const left = window.end - window.at
      if (left === 0 || isLost) return
      const part = layout === undefined ? 'header' : 'last record'
      const reason = `Cannot read the ${part}: the capture ends after ${left} bytes of it`
      sink.onDamage({ at: window.offset, reason })
      if (layout !== undefined && left > layout.recordBytes) {
        emitFrame(layout, left - layout.recordBytes)
      }
    },
  }
}
