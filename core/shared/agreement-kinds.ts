/** A kind of agreement, in APIs.json words, with its usual name and the words that tell it. */
interface KindWords {
  readonly kind: string
  readonly name: string
  /** Of words in lower case, one space between two. */
  readonly words: RegExp
}

/** The first whose words are found tells the kind. */
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

/** The kinds of agreements that are told apart, in APIs.json words. */
export const AGREEMENT_KINDS: readonly string[] = KINDS.map(({ kind }) => kind).sort()

/**
 * The kind that a name, a label or the name of an extension tells (`x-privacy-policy`,
 * `termsOfService`, `Terms & conditions`), with its usual name; undefined for other words.
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
 * Whether an agreement of this kind may bind who calls: pages that only tell or help do not. Kinds
 * that nobody knows may.
 */
export function isBindingKind(kind: string): boolean {
  return !HELPING.has(kind)
}

const MAX_LABEL = 200
const HELPING = new Set(['Documentation', 'Support', 'StatusPage', 'ChangeLog', 'Security'])
