import type { Damage } from '../flow.ts'

/** A position in a frame, moved inwards layer by layer. */
export interface Cursor {
  bytes: Uint8Array
  view: DataView
  at: number
  end: number
}

/** A captured frame. The object is reused for the next frame. */
export interface Frame {
  bytes: Uint8Array
  view: DataView
  /** Bounds of the frame in `bytes`. */
  at: number
  end: number
  /** Number from the registry of link types (draft-ietf-opsawg-pcaplinktype). */
  linkType: number
  /** Milliseconds since the epoch. */
  timeMs: number
}

/** Receives the results of a capture reader. */
export interface FrameSink {
  onFrame(frame: Frame): void
  onDamage(damage: Damage): void
  /** An address of the capturing interface, from the capture. */
  onOwnAddress(address: Uint8Array): void
}

/** Reader of one capture format: pcap or pcapng. */
export interface FrameReader {
  /** Reads the next record. Returns the number of bytes to skip, or 0 if more bytes are needed. */
  read(): number
  /** Reads the rest at the end of the capture. */
  finish(): void
}

/** Longer records are treated as damage. */
export const MAX_FRAME_BYTES = 1 << 18

/** Creates a frame to fill in. */
export function createFrame(): Frame {
  const bytes = new Uint8Array(0)
  return { bytes, view: new DataView(bytes.buffer), at: 0, end: 0, linkType: 0, timeMs: 0 }
}
