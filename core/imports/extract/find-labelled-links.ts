import type { ImportedAgreement } from '../../catalogue/records.ts'
import { asHttpUrl } from '../../schemas/values.ts'
import { findAgreementKind } from '../../shared/agreement-kinds.ts'
import { toSpdxId } from '../../shared/spdx.ts'

/**
 * Finds links in Markdown whose label is only the name of an agreement: `[Terms of Service](…)`,
 * `<a href="…">Privacy policy</a>`, `Pricing: https://…`. An ambiguous label (`[terms](…)`,
 * `[support](…)`) counts only if the URL confirms it.
 */
export function findLabelledLinks(text: string): readonly ImportedAgreement[] {
  const read = text.slice(0, MAX_TEXT)
  const found: (ImportedAgreement & { readonly at: number })[] = []
  for (const { pattern, label, link } of LINK_PATTERNS) {
    for (const match of read.matchAll(pattern)) {
      const agreement = parseLabelledLink(match[label] ?? '', match[link] ?? '')
      if (agreement) found.push({ ...agreement, at: match.index })
      if (found.length >= MAX_FOUND) break
    }
  }
  return found.sort((left, right) => left.at - right.at).map(({ at: _, ...link }) => link)
}

/** Every repetition is bounded, so hostile texts take no more time than other long ones. */
const LINK_PATTERNS: readonly {
  readonly pattern: RegExp
  readonly label: number
  readonly link: number
}[] = [
  {
    pattern: /\[([^[\]\n]{3,80})\]\(<?(https?:\/\/[^\s()<>]{3,500})/gi,
    label: 1,
    link: 2,
  },
  {
    pattern:
      /<a\s[^<>]{0,200}?href\s{0,2}=\s{0,2}["']?(https?:\/\/[^\s"'<>]{3,500})["']?[^<>]{0,200}>([^<>]{3,80})<\/a>/gi,
    label: 2,
    link: 1,
  },
  {
    pattern: /\b([a-z][a-z& ]{2,40}):\**[ \t]{0,3}<?(https?:\/\/[^\s()<>"'\]]{3,500})/gi,
    label: 1,
    link: 2,
  },
]

/** The only words that may occur in an agreement's label. */
const LABEL_WORDS = new Set(
  `our the their see read view full here and of for to api apis developer developers customer user
  users general website service services use usage terms conditions tos privacy policy policies notice
  statement license licence licensing agreement agreements pricing prices plans page sla level rate
  limit limits limiting status system change log changelog release notes security support deprecation
  sunset`.split(/\s+/),
)

/** Ambiguous labels: the URL must confirm the type of agreement. */
const AMBIGUOUS =
  /^(?:terms|conditions|agreements?|plans|prices|licen[cs](?:e|ing)|status|support|security|conditions of use|use|(?:our|the|api) (?:terms|plans|status|support|security))$/

/** Agreement types that are too common in prose to be read from it. */
const IGNORED_KINDS = new Set(['Documentation'])

const MAX_TEXT = 200_000
const MAX_FOUND = 20

function parseLabelledLink(rawLabel: string, rawLink: string): ImportedAgreement | undefined {
  const label = rawLabel
    .replace(/&(?:[a-z]{2,8}|#\d{1,6});/gi, ' ')
    .toLowerCase()
    .replace(/[^a-z]+/g, ' ')
    .trim()
  const words = label.split(' ')
  if (words.length > 8 || !words.every((word) => LABEL_WORDS.has(word))) return undefined
  const found = findAgreementKind(label)
  const link = asHttpUrl(rawLink.replace(/[.,;:!?*_]+$/, ''))
  if (!found || IGNORED_KINDS.has(found.kind) || link === '') return undefined
  const { kind, name } = found
  if (AMBIGUOUS.test(label) && findAgreementKind(stripScheme(link))?.kind !== kind) return undefined
  const spdxId = kind === 'InterfaceLicense' ? toSpdxId({ name: label, link }) : ''
  return spdxId === '' ? { name, link, kind } : { name, link, kind, spdxId }
}

/** Returns the URL without scheme and query. */
function stripScheme(link: string): string {
  return link.replace(/^https?:\/\//i, '').replace(/[?].*$/, '')
}
