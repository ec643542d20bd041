import type { BomService } from './model.ts'

/**
 * True if an agreement is a licence, judged by its name. Terms of service, policies and prices also
 * bind the caller, but grant no licence. The name is the only data that every document shape has.
 */
export function isLicense({ name }: Agreement): boolean {
  return !OTHER.test(name) || /licen[cs]e/i.test(name)
}

/**
 * Formats the comment of a CycloneDX external reference of type `other` for an agreement that is
 * not a licence.
 */
export function toAgreementComment({ name }: Agreement): string {
  return `${PREFIX}${name}`
}

/** Parses the agreement's name from such a comment; undefined for other comments. */
export function fromAgreementComment(comment: string): string | undefined {
  return comment.startsWith(PREFIX) ? comment.slice(PREFIX.length) : undefined
}

type Agreement = Pick<BomService['licenses'][number], 'name'>

const PREFIX = 'Agreement: '
const OTHER =
  /\b(?:terms|conditions|privacy|polic(?:y|ies)|agreements?|contracts?|pricing|plans|support|status page|service level|sla)\b/i
