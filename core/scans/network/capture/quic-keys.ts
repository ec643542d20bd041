import { type Aes128, createAes128 } from './crypto/aes128.ts'
import { expandLabel, hmacSha256 } from './crypto/sha256.ts'

/** What opens the Initial packets that a client sends. */
export interface InitialKeys {
  readonly cipher: Aes128
  /** 12 bytes. */
  readonly iv: Uint8Array
  readonly headerCipher: Aes128
}

const VERSION_1 = 0x00000001
const VERSION_2 = 0x6b3343cf
const DRAFT = 0xff000000
const MVFST_22 = 0xfaceb001
const Q050 = 0x51303530
const T050 = 0x54303530
const T051 = 0x54303531

const SALT_DRAFT_17 = '9c108f98520a5c5c32968e950e8a2c5fe06d6c38'
const SALT_DRAFT_21 = '7fbcdb0e7c66bbe9193a96cd21519ebd7a02644a'
const SALT_DRAFT_23 = 'c3eef712c72ebb5a11a7d2432bb46365bef9f502'
const SALT_DRAFT_29 = 'afbfec289993d24c9e9786f19c6111e04390a899'
const SALT_1 = '38762cf7f55934b34d179ae6a4c80cadccbb7f0a'
const SALT_2 = '0dede3def700a6db819381be6e269dcbf9bd2ed9'
const SALT_Q050 = '504574efd066fe2f9d945cfcdbd3a7f0d3b56b45'
const SALT_T050 = '7ff579e5acd072915580304c43a2367c60488310'
const SALT_T051 = '7a4edef4e7ccee5fa4506c19124fc8ccda6e033d'

/** Whether a version is QUIC's second, whose labels and packet types differ (RFC 9369). */
export function isVersion2(version: number): boolean {
  return version === VERSION_2
}

/**
 * The salt of a version's Initial secret: of RFC 9001 5.2, RFC 9369 3.3.1, the drafts and
 * Google's own. Undefined for versions that are not known.
 */
export function saltOf(version: number): Uint8Array | undefined {
  const salt = findSalt(version)
  if (salt === undefined) return undefined
  return Uint8Array.from(salt.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}

/** The keys of a client's Initial packets (RFC 9001 5.2); undefined for unknown versions. */
export function deriveInitialKeys(
  version: number,
  connectionId: Uint8Array,
): InitialKeys | undefined {
  const salt = saltOf(version)
  if (salt === undefined) return undefined
  const secret = expandLabel(hmacSha256(salt, connectionId), { label: 'client in', length: 32 })
  const prefix = isVersion2(version) ? 'quicv2' : 'quic'
  return {
    cipher: createAes128(expandLabel(secret, { label: `${prefix} key`, length: 16 })),
    iv: expandLabel(secret, { label: `${prefix} iv`, length: 12 }),
    headerCipher: createAes128(expandLabel(secret, { label: `${prefix} hp`, length: 16 })),
  }
}

function findSalt(version: number): string | undefined {
  if (version === VERSION_1) return SALT_1
  if (version === VERSION_2) return SALT_2
  if (version === Q050) return SALT_Q050
  if (version === T050) return SALT_T050
  if (version === T051) return SALT_T051
  if (version === MVFST_22) return SALT_DRAFT_21
  // Facebook's versions after its first kept the salt of draft 27.
  if ((version & 0xfffffff0) >>> 0 === 0xfaceb000) return SALT_DRAFT_23
  // Versions that only force negotiation: what follows is of their time.
  if ((version & 0x0f0f0f0f) === 0x0a0a0a0a) return SALT_1
  const draft = version - DRAFT
  if (draft < 17 || draft > 34) return undefined
  if (draft <= 20) return SALT_DRAFT_17
  if (draft <= 22) return SALT_DRAFT_21
  if (draft <= 28) return SALT_DRAFT_23
  return draft <= 32 ? SALT_DRAFT_29 : SALT_1
}
