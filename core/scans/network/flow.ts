/** How the name of a flow's other end was learned. */
export type NamedVia = 'dns' | 'tls' | 'quic' | 'http' | 'har' | 'log' | 'address'

/** One conversation with another host, as a capture or a log shows it. */
export interface Flow {
  /** Address of the other end, in the spelling of RFC 5952; empty where a log names only the host. */
  readonly ip: string
  /** Of the service that was called: the other end's, of an incoming flow one's own. */
  readonly port: number | undefined
  /** Lower case, without a trailing dot; undefined when only the address is known. */
  readonly host: string | undefined
  readonly via: NamedVia
  /** `Incoming` where the other end began. */
  readonly direction: 'Outgoing' | 'Incoming'
  /** Milliseconds since the epoch, of the first packet or entry. */
  readonly capturedAt: number
  /** Highest protocol that was recognised: `dns`, `tls`, `quic`, `http`, `tcp`, `udp`. */
  readonly protocol: string
  /** Lower case; undefined where it is not visible. */
  readonly method: string | undefined
  /** Absolute, without query; undefined where the path is not visible. */
  readonly url: string | undefined
}

/** What could not be read of a capture. */
export interface Damage {
  /** Bytes from its start, line of a log or entry of a HAR file from 1; 0 for the whole. */
  readonly at: number
  readonly reason: string
}

/** What a capture holds: flows as they are found, and at the end what could not be read. */
export interface CaptureReport {
  readonly packets: number
  readonly bytes: number
  /** At most 100; `damagedCount` counts all. */
  readonly damaged: readonly Damage[]
  readonly damagedCount: number
}
