import { toSha256Hex } from '../shared/digests.ts'
import type { NewAgreement } from './records.ts'

/**
 * Hex SHA-256 of what an agreement says: the JSON array of kind, name, link, SPDX id and the digest of its
 * text (empty without one). Another digest means that it has changed.
 */
export function toAgreementDigest(agreement: NewAgreement): Promise<string> {
  const { kind, name, link, spdxId, text } = agreement
  return toSha256Hex(JSON.stringify([kind, name, link, spdxId, text?.digest ?? '']))
}
