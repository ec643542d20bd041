import type { CvssMetric, SsvcExploitation } from '../records.ts'
import { cutText, foldCase } from './words.ts'

// Besides its words, a record has terms for filters. They contain a colon, which no word does.
// Their names are in lower case and cut at MAX_NAME code units.

/** True for a word, which has positions. */
export function isWordTerm(term: string): boolean {
  return term.charAt(1) !== ':'
}

/** Returns the term for a word in the name of an affected vendor or product. */
export function toNameWordTerm(word: string): string {
  return `n:${word}`
}

/** Returns the term for an affected vendor. */
export function toVendorTerm(vendor: string): string {
  return `v:${toTermName(vendor)}`
}

/** Returns the term for an affected product of any vendor. */
export function toProductTerm(product: string): string {
  return `p:${toTermName(product)}`
}

/** Returns the term for an affected product of a certain vendor. */
export function toPairTerm(vendor: string, product: string): string {
  return `${PAIR}${toTermName(vendor)}\t${toTermName(product)}`
}

/** Extracts the names from the term of a vendor and product; undefined for other terms. */
export function fromPairTerm(
  term: string,
): { readonly vendor: string; readonly product: string } | undefined {
  const tab = term.indexOf('\t')
  if (tab < 0 || !term.startsWith(PAIR)) return undefined
  return { vendor: term.slice(PAIR.length, tab), product: term.slice(tab + 1) }
}

/** Returns the term for a weakness, such as `CWE-79`. */
export function toCweTerm(id: string): string {
  return `c:${toTermName(id)}`
}

/**
 * Limit on the vectors of a version that the index distinguishes. Real records have up to three.
 */
export const MAX_VECTORS = 8

/**
 * Returns the term for a metric, such as `AV:N`, of one vector of a record. `rank` numbers the
 * distinct vectors of a version from 0, below `MAX_VECTORS`. A search for several metrics thus
 * matches metrics of one vector only.
 */
export function toMetricTerm(
  version: CvssMetric['version'],
  vector: { readonly metric: string; readonly rank: number },
): string {
  return `m:${version}.${vector.rank}/${foldCase(vector.metric)}`
}

/** Returns the distinct metric terms for all scores of a record. */
export function toMetricTerms(
  scorings: readonly Pick<CvssMetric, 'version' | 'vector'>[],
): readonly string[] {
  const terms = new Set<string>()
  const vectors = new Map<CvssMetric['version'], Set<string>>()
  for (const { version, vector } of scorings) {
    const known = vectors.get(version) ?? new Set()
    vectors.set(version, known)
    if (known.has(vector)) continue
    const rank = Math.min(known.size, MAX_VECTORS - 1)
    known.add(vector)
    for (const metric of splitVector(vector)) terms.add(toMetricTerm(version, { metric, rank }))
  }
  return [...terms]
}

/** Returns the term for the state of exploitation of an SSVC assessment. */
export function toSsvcTerm(exploitation: SsvcExploitation): string {
  return `s:${exploitation}`
}

/** Returns the term for the ID of another database, such as `GHSA-jfh8-c2jp-5v3q`. */
export function toAliasTerm(alias: string): string {
  return `a:${foldCase(alias)}`
}

/** Returns the term for a package; see `PackageReference.key`. */
export function toPackageTerm(key: string): string {
  return `u:${toTermName(key)}`
}

/** Returns the start of the terms that `toPackageVersionTerm` returns for a package. */
export function toPackageVersionPrefix(key: string): string {
  return `r:${cutName(key)}\t`
}

/**
 * Returns the term for an affected version of a package. `version` is packed; if it or the key is
 * too long, the term consists of the prefix only.
 */
export function toPackageVersionTerm(key: string, version: string | undefined): string {
  const prefix = toPackageVersionPrefix(key)
  return version === undefined || key.length > MAX_NAME_UNITS ? prefix : prefix + version
}

/** Returns the term for the host of a reference. */
export function toHostTerm(host: string): string {
  return `h:${toTermName(host)}`
}

/** Returns the term for the tag of a reference; `Vendor Advisory` equals `vendor-advisory`. */
export function toTagTerm(tag: string): string {
  return `t:${toTermName(tag.replaceAll('-', ' '))}`
}

/** Extracts the host of an absolute URL as written; empty if there is none. */
export function extractHost(url: string): string {
  const start = url.indexOf('://')
  if (start < 0) return ''
  const slash = url.indexOf('/', start + 3)
  const authority = url.slice(start + 3, slash < 0 ? url.length : slash)
  if (HOST.test(authority)) return authority
  const [before = ''] = authority.split(/[?#\\]/, 1)
  return before.slice(before.lastIndexOf('@') + 1).replace(/:\d*$/, '')
}

const PAIR = 'b:'
const MAX_NAME_UNITS = 300
const HOST = /^[a-z\d.-]+$/i

function toTermName(text: string): string {
  return cutName(foldCase(text))
}

function cutName(text: string): string {
  const name = cutText(text, MAX_NAME_UNITS)
  return HALF_CHARACTER.test(name) ? name.replace(HALF_CHARACTERS, '\ufffd') : name
}

/** An unpaired surrogate, which UTF-8 cannot encode. */
const HALF_CHARACTER = /\p{Cs}/u
const HALF_CHARACTERS = /\p{Cs}/gu

/**
 * Returns the metrics of a vector, such as `AV:N`, without its version and undefined metrics
 * (`E:X`).
 */
function splitVector(vector: string): readonly string[] {
  return vector
    .split('/')
    .filter((metric) => metric !== '' && !metric.startsWith('CVSS:') && !metric.endsWith(':X'))
}
