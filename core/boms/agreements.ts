import type { BomService } from './model.ts'

/**
 * True if an agreement is a licence, judged by its name. Terms of service, policies and prices also
 * bind the caller, but grant no licence. The name is the only data that every document shape has.
 */
export function isLicense({ name }: Agreement): boolean {
  return !NOT_A_LICENSE.test(name) || /licen[cs]e/i.test(name)
}

/**
 * Formats the comment of a CycloneDX external reference of type `other` for an agreement that is
 * not a licence.
 */
export function formatAgreementComment({ name }: Agreement): string {
  return `${COMMENT_PREFIX}${name}`
}

/** Parses the agreement's name from such a comment; undefined for other comments. */
export function parseAgreementComment(comment: string): string | undefined {
  return comment.startsWith(COMMENT_PREFIX) ? comment.slice(COMMENT_PREFIX.length) : undefined
}

type Agreement = Pick<BomService['licenses'][number], 'name'>

const COMMENT_PREFIX = 'Agreement: '
const NOT_A_LICENSE =
  /\b(?:terms|conditions|privacy|polic(?:y|ies)|agreements?|contracts?|pricing|plans|support|status page|service level|sla)\b/i
