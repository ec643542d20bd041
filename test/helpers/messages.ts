import { createCipheriv, createHmac } from 'node:crypto'
import { concatBytes } from '../../core/shared/bytes.ts'
import { hex, toAsciiBytes, u16, u32 } from './packets.ts'

/** Builders of packet payloads: TLS, DNS, QUIC. */

/** Builds a TLS ClientHello handshake message with `padding` bytes in an unknown extension. */
export function clientHello(host: string | undefined, padding = 0): Uint8Array {
  const name = toAsciiBytes(host ?? '')
  const serverName = [u16(0), u16(name.length + 5), u16(name.length + 3), Uint8Array.of(0)]
  const extensions = concatBytes([
    u16(0xfafa),
    u16(padding),
    new Uint8Array(padding),
    ...(host === undefined ? [] : [...serverName, u16(name.length), name]),
  ])
  const body = concatBytes([
    u16(0x0303),
    new Uint8Array(32).fill(7),
    Uint8Array.of(4, 1, 2, 3, 4),
    u16(2),
    u16(0x1301),
    Uint8Array.of(1, 0),
    u16(extensions.length),
    extensions,
  ])
  return concatBytes([u32((1 << 24) | body.length), body])
}

/** Splits a handshake message into TLS records of at most `recordBytes`. */
export function tlsRecords(message: Uint8Array, recordBytes = 16_384): Uint8Array {
  const records: Uint8Array[] = []
  for (let at = 0; at < message.length; at += recordBytes) {
    const part = message.subarray(at, at + recordBytes)
    records.push(Uint8Array.of(22, 3, 1), u16(part.length), part)
  }
  return concatBytes(records)
}

/** Builds a DNS query for an A record. */
export function dnsQuery(name: string): Uint8Array {
  return concatBytes([u16(7), u16(0x0100), u16(1), u16(0), u16(0), u16(0), question(name)])
}

/** Builds the DNS answer with IPv4 addresses, optionally through an alias. */
export function dnsAnswer(
  name: string,
  { addresses, alias }: { readonly addresses: readonly string[]; readonly alias?: string },
): Uint8Array {
  const owner = Uint8Array.of(0xc0, 12)
  const records = addresses.map((address) =>
    record(
      alias === undefined ? owner : labels(alias),
      1,
      Uint8Array.from(address.split('.'), Number),
    ),
  )
  if (alias !== undefined) records.unshift(record(owner, 5, labels(alias)))
  const counts = [u16(1), u16(records.length), u16(0), u16(0)]
  return concatBytes([u16(7), u16(0x8180), ...counts, question(name), ...records])
}

export interface InitialParts {
  readonly version: number
  readonly salt: string
  /** Prefix of the key labels. */
  readonly prefix?: string
  /** Side whose keys are used. */
  readonly keysOf: string
  /** Destination connection ID of the packet, if it differs. */
  readonly target?: string
  readonly number?: number
  readonly token?: Uint8Array
  /** Packet type bits. */
  readonly type?: number
  readonly frames: Uint8Array
  readonly paddedTo?: number
}

/**
 * Builds an encrypted QUIC Initial packet (RFC 9001, section 5) with the runtime's cryptography.
 */
export function quicInitial({
  version,
  salt,
  prefix = 'quic',
  keysOf,
  target = keysOf,
  number = 0,
  token = new Uint8Array(0),
  type = 0,
  frames,
  paddedTo = 1162,
}: InitialParts): Uint8Array {
  const initial = createHmac('sha256', hex(salt)).update(hex(keysOf)).digest()
  const secret = expand(initial, 'client in', 32)
  const plain = concatBytes([frames, new Uint8Array(Math.max(0, paddedTo - frames.length))])
  const header = concatBytes([
    Uint8Array.of(0xc0 | (type << 4) | 3),
    u32(version),
    Uint8Array.of(hex(target).length),
    hex(target),
    Uint8Array.of(0),
    u16(0x4000 | token.length),
    token,
    u16(0x4000 | (4 + plain.length + 16)),
    u32(number),
  ])
  const nonce = expand(secret, `${prefix} iv`, 12)
  for (const [at, byte] of u32(number).entries()) nonce[8 + at] = (nonce[8 + at] ?? 0) ^ byte
  const cipher = createCipheriv('aes-128-gcm', expand(secret, `${prefix} key`, 16), nonce)
  cipher.setAAD(header)
  const sealed = concatBytes([cipher.update(plain), cipher.final(), cipher.getAuthTag()])
  const masking = createCipheriv('aes-128-ecb', expand(secret, `${prefix} hp`, 16), null)
  const mask = masking.update(sealed.subarray(0, 16))
  const numberAt = header.length - 4
  header[0] = (header[0] ?? 0) ^ ((mask[0] ?? 0) & 0x0f)
  for (let at = 0; at < 4; at += 1) {
    header[numberAt + at] = (header[numberAt + at] ?? 0) ^ (mask[at + 1] ?? 0)
  }
  return concatBytes([header, sealed])
}

/** Builds a CRYPTO frame. */
export function cryptoFrame(offset: number, data: Uint8Array): Uint8Array {
  return concatBytes([Uint8Array.of(6), u16(0x4000 | offset), u16(0x4000 | data.length), data])
}

function expand(secret: Uint8Array, label: string, length: number): Uint8Array {
  const name = toAsciiBytes(`tls13 ${label}`)
  const info = concatBytes([u16(length), Uint8Array.of(name.length), name, Uint8Array.of(0, 1)])
  return Uint8Array.from(createHmac('sha256', secret).update(info).digest().subarray(0, length))
}

function question(name: string): Uint8Array {
  return concatBytes([labels(name), u16(1), u16(1)])
}

function record(owner: Uint8Array, type: number, data: Uint8Array): Uint8Array {
  return concatBytes([owner, u16(type), u16(1), u32(300), u16(data.length), data])
}

function labels(name: string): Uint8Array {
  const parts = name
    .split('.')
    .map((label) => concatBytes([Uint8Array.of(label.length), toAsciiBytes(label)]))
  return concatBytes([...parts, Uint8Array.of(0)])
}
