import type { BomService } from './model.ts'

/**
 * Whether an agreement is a licence, by its name: terms of service, policies and prices bind who
 * calls as well, but license nothing. Documents of every shape have the name, and no more.
 */
export function isLicense({ name }: Agreement): boolean {
  return !OTHER.test(name) || /licen[cs]e/i.test(name)
}

/** How CycloneDX's external references of type `other` tell an agreement that is no licence. */
export function toAgreementComment({ name }: Agreement): string {
  return `${PREFIX}${name}`
}

/** The name of such an agreement; undefined for other comments. */
export function fromAgreementComment(comment: string): string | undefined {
  return comment.startsWith(PREFIX) ? comment.slice(PREFIX.length) : undefined
}

type Agreement = Pick<BomService['licenses'][number], 'name'>

const PREFIX = 'Agreement: '
const OTHER =
  /\b(?:terms|conditions|privacy|polic(?:y|ies)|agreements?|contracts?|pricing|plans|support|status page|service level|sla)\b/i
