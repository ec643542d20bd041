/** Source of the name of a flow's remote end. */
export type NamedVia = 'dns' | 'tls' | 'quic' | 'http' | 'har' | 'log' | 'address'

/** A conversation with another host, found in a capture or log. */
export interface Flow {
  /** Address of the remote end in RFC 5952 format; empty if a log contains only the host. */
  readonly ip: string
  /** Port of the called service: of the remote end, or of the own end for incoming flows. */
  readonly port: number | undefined
  /** Lower case, without a trailing dot; undefined if only the address is known. */
  readonly host: string | undefined
  readonly via: NamedVia
  /** `Incoming` if the remote end is the client. */
  readonly direction: 'Outgoing' | 'Incoming'
  /** Milliseconds since the epoch, from the first packet or entry. */
  readonly capturedAt: number
  /** Highest recognised protocol: `dns`, `tls`, `quic`, `http`, `tcp`, `udp`. */
  readonly protocol: string
  /** Lower case; undefined if not visible. */
  readonly method: string | undefined
  /** Absolute, without query; undefined if the path is not visible. */
  readonly url: string | undefined
}

/** An unreadable part of a capture or log. */
export interface Damage {
  /**
   * Byte offset in a capture, or line or entry number from 1 in a log or HAR file; 0 for the whole
   * file.
   */
  readonly at: number
  readonly reason: string
}

/** Counts of a capture, and its unreadable parts. */
export interface CaptureReport {
  readonly packets: number
  readonly bytes: number
  /** At most 100; `damagedCount` counts all. */
  readonly damaged: readonly Damage[]
  readonly damagedCount: number
}
