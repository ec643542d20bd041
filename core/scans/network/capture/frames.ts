import type { Damage } from '../flow.ts'

/** A place in a frame that is moved inwards layer by layer. */
export interface Cursor {
  bytes: Uint8Array
  view: DataView
  at: number
  end: number
}

/** One captured frame; the same object is used for the next one. */
export interface Frame {
  bytes: Uint8Array
  view: DataView
  /** Where the frame begins and ends in `bytes`. */
  at: number
  end: number
  /** Number of the registry of link types (draft-ietf-opsawg-pcaplinktype). */
  linkType: number
  /** Milliseconds since the epoch. */
  timeMs: number
}

/** What a reader of a capture's form tells. */
export interface FrameSink {
  onFrame(frame: Frame): void
  onDamage(damage: Damage): void
  /** An address of the interface that captured, as the capture names it. */
  onOwnAddress(address: Uint8Array): void
}

/** One form of captures: pcap or pcapng. */
export interface FrameReader {
  /** Reads what comes next: the bytes to pass over, or 0 when more are needed to tell. */
  read(): number
  /** Reads what is left when the capture ends. */
  finish(): void
}

/** A longer record is taken for damage. */
export const MAX_FRAME_BYTES = 1 << 18

/** A frame to fill in. */
export function emptyFrame(): Frame {
  const bytes = new Uint8Array(0)
  return { bytes, view: new DataView(bytes.buffer), at: 0, end: 0, linkType: 0, timeMs: 0 }
}
