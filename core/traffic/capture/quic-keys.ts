import { type Aes128, createAes128 } from './crypto/aes128.ts'
import { expandLabel, hmacSha256 } from './crypto/sha256.ts'

/** Keys that decrypt a client's Initial packets. */
export interface InitialKeys {
  readonly cipher: Aes128
  /** 12 bytes. */
  readonly iv: Uint8Array
  readonly headerCipher: Aes128
}

const DRAFT = 0xff000000
const VERSION_2 = 0x6b3343cf
const VERSION_2_DRAFT = 0x709a50c4

const SALT_DRAFT_17 = fromHex('9c108f98520a5c5c32968e950e8a2c5fe06d6c38')
const SALT_DRAFT_21 = fromHex('7fbcdb0e7c66bbe9193a96cd21519ebd7a02644a')
const SALT_DRAFT_23 = fromHex('c3eef712c72ebb5a11a7d2432bb46365bef9f502')
const SALT_DRAFT_29 = fromHex('afbfec289993d24c9e9786f19c6111e04390a899')
const SALT_1 = fromHex('38762cf7f55934b34d179ae6a4c80cadccbb7f0a')

/** One salt per version: RFC 9001 5.2, RFC 9369 3.3.1 and its draft, Google and Facebook. */
const SALTS: ReadonlyMap<number, readonly Uint8Array[]> = new Map([
  [0x00000001, [SALT_1]],
  [VERSION_2, [fromHex('0dede3def700a6db819381be6e269dcbf9bd2ed9')]],
  [VERSION_2_DRAFT, [fromHex('a707c203a59b47184a1d62ca570406ea7ae3e5d3')]],
  // Q050, T050, T051
  [0x51303530, [fromHex('504574efd066fe2f9d945cfcdbd3a7f0d3b56b45')]],
  [0x54303530, [fromHex('7ff579e5acd072915580304c43a2367c60488310')]],
  [0x54303531, [fromHex('7a4edef4e7ccee5fa4506c19124fc8ccda6e033d')]],
  [0xfaceb001, [SALT_DRAFT_21]],
])
const MVFST_SALTS = [SALT_DRAFT_23, SALT_DRAFT_29, SALT_1]
/** Versions that only force negotiation use the salts of their time. */
const FORCING_SALTS = [SALT_1, SALT_DRAFT_29, SALT_DRAFT_23]
const NO_SALTS: readonly Uint8Array[] = []

/** Whether a version is QUIC 2, with different labels and packet types (RFC 9369). */
export function isVersion2(version: number): boolean {
  return version === VERSION_2 || version === VERSION_2_DRAFT
}

/** Returns the possible salts for the Initial secret of a version; empty for unknown versions. */
export function getSalts(version: number): readonly Uint8Array[] {
  const own = SALTS.get(version)
  if (own !== undefined) return own
  if ((version & 0xfffffff0) >>> 0 === 0xfaceb000) return MVFST_SALTS
  if ((version & 0x0f0f0f0f) === 0x0a0a0a0a) return FORCING_SALTS
  const draft = version - DRAFT
  if (draft < 17 || draft > 34) return NO_SALTS
  if (draft <= 20) return [SALT_DRAFT_17]
  if (draft <= 22) return [SALT_DRAFT_21]
  if (draft <= 28) return [SALT_DRAFT_23]
  return draft <= 32 ? [SALT_DRAFT_29] : [SALT_1]
}

/** Derives the keys of a client's Initial packets (RFC 9001 5.2). */
export function deriveInitialKeys({
  salt,
  connectionId,
  version,
}: {
  readonly salt: Uint8Array
  /** Destination connection ID of the client's first packet. */
  readonly connectionId: Uint8Array
  readonly version: number
}): InitialKeys {
  const secret = expandLabel(hmacSha256(salt, connectionId), { label: 'client in', length: 32 })
  const prefix = isVersion2(version) ? 'quicv2' : 'quic'
  return {
    cipher: createAes128(expandLabel(secret, { label: `${prefix} key`, length: 16 })),
    iv: expandLabel(secret, { label: `${prefix} iv`, length: 12 }),
    headerCipher: createAes128(expandLabel(secret, { label: `${prefix} hp`, length: 16 })),
  }
}

function fromHex(text: string): Uint8Array {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}
