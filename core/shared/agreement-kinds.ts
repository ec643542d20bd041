/**
 * A kind of agreement, by its APIs.json name, with its usual title and the words that identify it.
 */
interface KindWords {
  readonly kind: string
  readonly name: string
  /** Matches words in lower case, separated by single spaces. */
  readonly words: RegExp
}

/** The first match determines the kind. */
const KINDS: readonly KindWords[] = [
  { kind: 'PrivacyPolicy', name: 'Privacy policy', words: /\bprivacy\b/ },
  { kind: 'DeprecationPolicy', name: 'Deprecation policy', words: /\b(?:deprecation|sunset)\b/ },
  {
    kind: 'ServiceLevelAgreement',
    name: 'Service level agreement',
    words: /\bslas?\b|\bservice ?level\b/,
  },
  { kind: 'RateLimits', name: 'Rate limits', words: /\brate ?limit(?:s|ing)?\b/ },
  {
    kind: 'TermsOfService',
    name: 'Terms of service',
    words: /\b(?:terms(?: ?of ?(?:service|use))?|tos|conditions|agreements?)\b/,
  },
  { kind: 'InterfaceLicense', name: 'License', words: /\b(?:interface ?)?licen[cs](?:es?|ing)\b/ },
  { kind: 'Pricing', name: 'Pricing', words: /\b(?:pricing|prices|plans)\b/ },
  { kind: 'StatusPage', name: 'Status page', words: /\bstatus(?: ?page)?\b/ },
  { kind: 'ChangeLog', name: 'Change log', words: /\b(?:change ?log|release ?notes)\b/ },
  { kind: 'Security', name: 'Security', words: /\bsecurity\b/ },
  { kind: 'Support', name: 'Support', words: /\bsupport\b/ },
  { kind: 'Documentation', name: 'Documentation', words: /\b(?:documentation|docs)\b/ },
]

/** The known kinds of agreements, by their APIs.json names. */
export const AGREEMENT_KINDS: readonly string[] = KINDS.map(({ kind }) => kind).sort()

/**
 * Detects the kind, and its usual title, from a name, a label or the name of an extension
 * (`x-privacy-policy`, `termsOfService`, `Terms & conditions`). Returns undefined for other words.
 */
export function findAgreementKind(
  label: string,
): { readonly kind: string; readonly name: string } | undefined {
  const words = label
    .slice(0, MAX_LABEL)
    .replace(/^x-/i, '')
    .replace(/([a-z])(?=[A-Z])/g, '$1 ')
    .toLowerCase()
    .replace(/[^a-z]+/g, ' ')
  const found = KINDS.find((each) => each.words.test(words))
  return found && { kind: found.kind, name: found.name }
}

/**
 * Returns whether agreements of this kind may bind callers. Informational pages do not; unknown
 * kinds may.
 */
export function isBindingKind(kind: string): boolean {
  return !INFORMATIONAL_KINDS.has(kind)
}

const MAX_LABEL = 200
const INFORMATIONAL_KINDS = new Set([
  'Documentation',
  'Support',
  'StatusPage',
  'ChangeLog',
  'Security',
])
