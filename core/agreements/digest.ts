import { toSha256Hex } from '../shared/digests.ts'
import type { NewAgreement } from './records.ts'

/**
 * Hex SHA-256 of the content of an agreement: the JSON array of kind, name, link, SPDX ID and text
 * digest (empty without a text). A different digest means that the agreement has changed.
 */
export function toAgreementDigest(agreement: NewAgreement): Promise<string> {
  const { kind, name, link, spdxId, text } = agreement
  return toSha256Hex(JSON.stringify([kind, name, link, spdxId, text?.digest ?? '']))
}
