import type { ImportedAgreement } from '../../catalogue/records.ts'
import { asHttpUrl, asObject, asText, isObject } from '../../schemas/values.ts'
import { findAgreementKind } from '../../shared/agreement-kinds.ts'
import { toSpdxId } from '../../shared/spdx.ts'
import { toLicenses } from './api.ts'
import type { ExtractionContext } from './context.ts'
import { resolveUrl } from './servers.ts'

/**
 * Extracts licence, terms, documentation and other agreements that a description links to. Reads
 * the format's own fields, extensions of `info` and of the document, and labelled links in
 * `info.description`. Resolves paths against `baseUrl`. Warns about invalid links and about
 * agreements after the first 100.
 */
export function extractAgreements(
  context: ExtractionContext,
  baseUrl: string | undefined,
): readonly ImportedAgreement[] {
  const info = asObject(context.document.info)
  const links = new Map<string, ImportedAgreement>()
  const add = (agreement: ImportedAgreement) => {
    const { link, kind } = agreement
    const key = `${kind} ${link}`
    if (link !== '' && !links.has(key)) links.set(key, agreement)
  }
  const resolveLink = (value: unknown, pointer: string): string => {
    const text = asText(value).trim()
    const link = asHttpUrl(/^\.{0,2}\//.test(text) ? resolveUrl(text, baseUrl) : text)
    if (link === '' && text !== '') context.warn(pointer, 'Not an absolute URL; ignored')
    return link
  }
  for (const { name, url } of toLicenses(info.license))
    add(toLicenseAgreement(info.license, { name, url }))
  const terms = resolveLink(info.termsOfService, '/info/termsOfService')
  add({ name: 'Terms of service', link: terms, kind: 'TermsOfService' })
  const docs = resolveLink(asObject(context.document.externalDocs).url, '/externalDocs/url')
  add({ name: 'Documentation', link: docs, kind: 'Documentation' })
  for (const owner of [info, context.document]) {
    for (const [key, value] of Object.entries(owner)) {
      const found = /^x-/i.test(key) ? findAgreementKind(key) : undefined
      if (!found) continue
      const link = asHttpUrl(value) || asHttpUrl(asObject(value).url)
      if (found.kind === 'InterfaceLicense')
        add(toLicenseAgreement(value, { name: found.name, url: link }))
      else add({ name: found.name, link, kind: found.kind })
    }
  }
  for (const link of findLabelledLinks(asText(info.description))) add(link)
  const left = links.size - MAX_AGREEMENTS
  if (left > 0) {
    context.warn('/info', `${left} agreements after the first ${MAX_AGREEMENTS} were ignored`)
  }
  return [...links.values()].slice(0, MAX_AGREEMENTS)
}

/** The same limit as for agreements created by users. Each is compared with every previous one. */
const MAX_AGREEMENTS = 100

/** Converts a licence; the page of its SPDX ID is the fallback for a missing link. */
function toLicenseAgreement(
  value: unknown,
  { name, url }: { readonly name: string; readonly url: string },
): ImportedAgreement {
  const stated = isObject(value) ? asText(value.identifier) || asText(value['x-spdx']) : ''
  const spdxId =
    (/^[A-Za-z0-9][A-Za-z0-9.-]{0,60}$/.test(stated) ? toSpdxId({ name: stated }) || stated : '') ||
    toSpdxId({ name, link: url })
  const link = url || (spdxId === '' ? '' : `https://spdx.org/licenses/${spdxId}.html`)
  const agreement = { name, link, kind: 'InterfaceLicense' }
  return spdxId === '' ? agreement : { ...agreement, spdxId }
}

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
