import { parseDay } from '../../../core/shared/dates.ts'
import { findPackageUrlIssue } from '../../../core/shared/package-urls.ts'
import type {
  Comparison,
  CveFilters,
  CveQuery,
  Severity,
  SsvcExploitation,
} from '../../../core/vulnerabilities/index.ts'

/** Most severe first, as in forms and charts; `none`: no score, or a score of 0. */
export const SEVERITIES: readonly { readonly value: Severity; readonly label: string }[] = [
  { value: 'critical', label: 'Critical' },
  { value: 'high', label: 'High' },
  { value: 'medium', label: 'Medium' },
  { value: 'low', label: 'Low' },
  { value: 'none', label: 'Not rated' },
]

/** Most urgent first. */
export const EXPLOITATION: readonly {
  readonly value: SsvcExploitation
  readonly label: string
}[] = [
  { value: 'active', label: 'Active exploitation' },
  { value: 'poc', label: 'Public proof of concept' },
  { value: 'none', label: 'No evidence' },
]

/** The search that a URL's query describes. */
export interface ParsedSearch {
  readonly query: Pick<CveQuery, 'term' | 'filters' | 'includesRejected'>
  /** True if a word or a filter is set. */
  readonly isNarrowed: boolean
  /** True if one of the further filters, which are hidden by default, is set. */
  readonly hasMore: boolean
  /** Error messages by field name. */
  readonly errors: ReadonlyMap<string, string>
}

/** Parses the search in a URL's query. Invalid filters are ignored and reported in `errors`. */
export function parseSearch(params: URLSearchParams): ParsedSearch {
  const errors = new Map<string, string>()
  const text = (name: string) => params.get(name)?.trim() ?? ''
  const hasText = (name: string) => text(name) !== ''

  function readNumber(name: string, most: number): number | undefined {
    const given = text(name)
    if (given === '') return undefined
    const value = /^\d{1,6}(\.\d{1,9})?$/.test(given) ? Number(given) : Number.NaN
    if (value <= most) return value
    errors.set(name, `must be a number from 0 to ${most}`)
    return undefined
  }

  function readDay(name: string): number | undefined {
    const given = text(name)
    if (given === '') return undefined
    const value = parseDay(given)
    if (value === undefined) errors.set(name, 'must be a day like 2026-01-31')
    return value
  }

  function readMatching(name: string, form: { readonly pattern: RegExp; readonly wanted: string }) {
    const given = text(name)
    if (given === '') return undefined
    if (given.length <= 253 && form.pattern.test(given)) return given
    errors.set(name, `must be ${form.wanted}`)
    return undefined
  }

  function readPackageUrl(name: string): string | undefined {
    const purl = readMatching(name, PURL)
    const issue = purl === undefined ? undefined : findPackageUrlIssue(purl)
    if (issue === undefined) return purl
    errors.set(name, `must be ${PURL.wanted}: ${issue}`)
    return undefined
  }

  const range = <T>(name: string, read: (name: string) => T) =>
    [read(`${name}_from`), read(`${name}_to`)] as const
  const severities = SEVERITIES.map(({ value }) => value).filter((value) =>
    params.getAll('severity').includes(value),
  )
  const score = toComparisonRange(...range('score', (name) => readNumber(name, 10)))
  const version = text('cvss')
  const filters: CveFilters = {
    severities,
    [SCORES.get(version) ?? 'score']: score,
    year: toComparisonRange(...range('year', (name) => readNumber(name, 9999))),
    published: toComparisonRange(...range('published', readDay)),
    modified: toComparisonRange(...range('modified', readDay)),
    exploitedSince: toComparisonRange(...range('kev', readDay)),
    isExploited: hasText('kev') || undefined,
    isRansomware: hasText('ransomware') || undefined,
    epss: toComparisonRange(readNumber('epss_from', 1), undefined),
    epssPercentile: toComparisonRange(readNumber('percentile_from', 1), undefined),
    vendor: readMatching('vendor', NAME),
    product: readMatching('product', NAME),
    version: readMatching('version', VERSION),
    purl: readPackageUrl('purl'),
    cweId: readMatching('cwe', WEAKNESS),
    vector: readMatching('vector', VECTOR)
      ?.replace(/^CVSS:\d\.\d\//i, '')
      .split('/'),
    referenceHost: readMatching('host', HOST),
    referenceTag: readMatching('tag', NAME),
    exploitation: EXPLOITATION.map(({ value }) => value).filter((value) =>
      params.getAll('exploitation').includes(value),
    ),
  }
  if (filters.version !== undefined && (filters.vendor ?? filters.product) === undefined) {
    errors.set('version', 'requires a vendor or a product')
  }
  return {
    query: {
      term: hasText('q') ? (params.get('q') ?? '') : MATCH_ALL_TERM,
      filters: errors.has('version') ? { ...filters, version: undefined } : filters,
      includesRejected: hasText('rejected'),
    },
    isNarrowed: [...params.keys()].some((name) => name !== 'page' && hasText(name)),
    hasMore: [...params.keys()].some((name) => !ALWAYS_SHOWN.has(name) && hasText(name)),
    errors,
  }
}

/** Returns the filters of a URL's query without the page, for links. */
export function toLinkQuery(params: URLSearchParams): URLSearchParams {
  return new URLSearchParams(
    [...params].filter(([name, value]) => name !== 'page' && value.trim() !== ''),
  )
}

/** Part of every CVE ID: a search for it lets the filters alone decide. */
const MATCH_ALL_TERM = 'cve'
const ALWAYS_SHOWN = new Set(['q', 'page', 'severity', 'kev'])
const SCORES = new Map<string, 'cvss2' | 'cvss3' | 'cvss4'>([
  ['2', 'cvss2'],
  ['3', 'cvss3'],
  ['4', 'cvss4'],
])
const NAME = { pattern: /^.{1,200}$/u, wanted: 'a name of at most 200 characters' }
const VERSION = { pattern: /^[\p{L}\p{N}].{0,99}$/u, wanted: 'a version like 2.17.1' }
const PURL = { pattern: /^pkg:/i, wanted: 'a package URL like pkg:npm/lodash@4.17.15' }
const WEAKNESS = { pattern: /^(CWE|NVD-CWE)-\w{1,20}$/i, wanted: 'a weakness like CWE-79' }
const VECTOR = {
  pattern: /^(CVSS:\d\.\d\/)?[A-Za-z]{1,3}:[A-Za-z]{1,6}(\/[A-Za-z]{1,3}:[A-Za-z]{1,6}){0,39}$/,
  wanted: 'metrics of a CVSS vector, like AV:N/PR:N',
}
const HOST = { pattern: /^[^\s/:@]+$/, wanted: 'a host like github.com' }

function toComparisonRange(
  low: number | undefined,
  high: number | undefined,
): readonly Comparison[] | undefined {
  const bounds: Comparison[] = []
  if (low !== undefined) bounds.push({ operator: '>=', value: low })
  if (high !== undefined) bounds.push({ operator: '<=', value: high })
  return bounds.length > 0 ? bounds : undefined
}
