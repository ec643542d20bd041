import fc from 'fast-check'
import { sortMetrics } from '../../../../core/vulnerabilities/cvss.ts'
import type {
  CpeMatch,
  CveRecord,
  CvssMetric,
  EpssScore,
  KnownExploited,
  VersionRange,
} from '../../../../core/vulnerabilities/records.ts'
import type { Comparison, CveFilters } from '../../../../core/vulnerabilities/search/query.ts'

/** A record with only an ID; `changes` set other fields. */
export function sampleRecord(id: string, changes: Partial<CveRecord> = {}): CveRecord {
  const at = Date.UTC(Number(id.slice(4, 8)), 5, 1)
  return {
    id,
    source: 'cna@example.com',
    status: 'Analyzed',
    isRejected: false,
    publishedAt: at,
    modifiedAt: at,
    descriptions: [],
    metrics: [],
    weaknesses: [],
    configurations: [],
    references: [],
    tags: [],
    ...changes,
  }
}

/** A configuration of vulnerable products: `vendor:product:version`, optionally with a range. */
export function affects(...cpes: readonly (string | readonly [string, VersionRange])[]) {
  const matches: readonly CpeMatch[] = cpes.map((each) => {
    const [name, range] = typeof each === 'string' ? [each, undefined] : each
    return { isVulnerable: true, cpe: `cpe:2.3:a:${name}:*:*:*:*:*:*:*`, ...(range && { range }) }
  })
  const node = { operator: 'OR', isNegated: false, matches, children: [] } as const
  return [{ operator: 'OR', isNegated: false, nodes: [node] }] as const
}

const VOCABULARY = 'alpha beta gamma delta log4j2 the of use after free 2 17'.split(' ')
const VENDORS = ['alpha', 'beta_soft', 'acme']
const PRODUCTS = ['gamma', 'delta-suite', 'log4j2', 'alpha_gamma']
const VERSIONS = ['1.0', '2.0', '2.17', '*', '-']
const METRICS = ['AV:N', 'AV:L', 'PR:N', 'PR:L', 'UI:R']
const HOSTS = ['example.com', 'git.example.org']
const TAGS = ['Exploit', 'Vendor Advisory']
const CWES = ['CWE-79', 'CWE-89', 'NVD-CWE-noinfo']
const DAYS = [Date.UTC(2020, 11, 31), Date.UTC(2021, 0, 1), Date.UTC(2021, 0, 2)]
const ids = fc.integer({ min: 1, max: 60 }).map((number) => {
  return `CVE-${2019 + (number % 3)}-${String(number * 977).padStart(4, '0')}`
})
const days = fc.constantFrom(...DAYS)
const moments = fc.tuple(days, fc.constantFrom(0, 1, 86_399_999)).map(([day, ms]) => day + ms)
const scores = fc.constantFrom(0, 4.3, 5, 7, 7.1, 9.8, 10)
const steps = fc.constantFrom(0, 0.00001, 0.12345, 0.5, 0.97, 1)
const words = (maxLength: number) =>
  fc.array(fc.constantFrom(...VOCABULARY), { minLength: 1, maxLength })
const listOf = <T>(item: fc.Arbitrary<T>) => fc.array(item, { maxLength: 3 })

const ranges: fc.Arbitrary<VersionRange | undefined> = fc.option(
  fc.record({
    from: fc.record({ version: fc.constantFrom('1.0', '2.0'), isIncluded: fc.boolean() }),
    to: fc.record({ version: fc.constantFrom('2.17', '3'), isIncluded: fc.boolean() }),
  }),
  { nil: undefined },
)

const cpes = fc
  .tuple(
    fc.constantFrom(...VENDORS),
    fc.constantFrom(...PRODUCTS),
    fc.constantFrom(...VERSIONS),
    ranges,
  )
  .map(([vendor, product, version, range]) => {
    const name = `${vendor}:${product}:${range ? '*' : version}`
    return range ? ([name, range] as const) : name
  })

const metrics: fc.Arbitrary<CvssMetric> = fc
  .record({
    version: fc.constantFrom('2.0', '3.0', '3.1', '4.0'),
    isPrimary: fc.boolean(),
    score: scores,
    parts: fc.uniqueArray(fc.constantFrom(...METRICS), { maxLength: 3 }),
  })
  .map(({ version, isPrimary, score, parts }) => {
    const vector = [`CVSS:${version}`, ...parts].join('/')
    return { version, source: 's', isPrimary, score, severity: 'LOW', vector }
  })

const records: fc.Arbitrary<CveRecord> = fc
  .record({
    id: ids,
    isRejected: fc.integer({ min: 0, max: 5 }).map((number) => number === 0),
    publishedAt: moments,
    modifiedAt: moments,
    text: words(20),
    metrics: listOf(metrics).map(sortMetrics),
    cwes: listOf(fc.constantFrom(...CWES)),
    cpes: listOf(cpes),
    references: listOf(
      fc.record({ host: fc.constantFrom(...HOSTS), tags: listOf(fc.constantFrom(...TAGS)) }),
    ),
    addedOn: fc.option(days, { nil: undefined, freq: 2 }),
  })
  .map(({ id, text, cwes, cpes: names, references, addedOn, ...given }) =>
    sampleRecord(id, {
      ...given,
      descriptions: [{ language: 'en', text: text.join(' ') }],
      weaknesses: cwes.map((each) => ({ source: 's', isPrimary: true, id: each })),
      configurations: names.length === 0 ? [] : affects(...names),
      references: references.map(({ host, tags }) => {
        return { url: `https://${host}/x?y=1`, source: 's', tags }
      }),
      ...(addedOn !== undefined && {
        exploited: { name: 'n', addedOn: toDay(addedOn), dueOn: '', action: '' },
      }),
    }),
  )

/** Records, scores and exploited entries, many of which share words, names and days. */
export const samples: fc.Arbitrary<{
  readonly records: readonly CveRecord[]
  readonly epss: readonly EpssScore[]
  readonly exploited: readonly KnownExploited[]
}> = fc.record({
  records: fc.uniqueArray(records, {
    selector: ({ id }) => id,
    minLength: 10,
    maxLength: 60,
    size: 'max',
  }),
  epss: fc.uniqueArray(fc.record({ id: ids, score: steps, percentile: steps }), {
    selector: ({ id }) => id,
    maxLength: 30,
  }),
  exploited: fc.uniqueArray(
    fc
      .record({ id: ids, day: days, isRansomware: fc.boolean() })
      .map(({ id, day, isRansomware }) => {
        return { id, name: 'n', addedOn: toDay(day), dueOn: '', action: '', isRansomware }
      }),
    { selector: ({ id }) => id, maxLength: 15 },
  ),
})

const phrases = (length: number) =>
  fc.array(fc.constantFrom(...VOCABULARY), { minLength: length, maxLength: length })

/** The parts of a term, and the term as a user writes it. */
export const terms = fc
  .oneof(
    { weight: 5, arbitrary: fc.record({ words: words(1) }) },
    { weight: 2, arbitrary: fc.record({ words: words(3) }) },
    { weight: 3, arbitrary: fc.record({ phrases: fc.tuple(phrases(2)) }) },
    { weight: 1, arbitrary: fc.record({ phrases: fc.tuple(phrases(3)), words: words(1) }) },
    { weight: 1, arbitrary: fc.record({ ids: fc.tuple(ids) }) },
    { weight: 1, arbitrary: fc.record({ ids: fc.tuple(ids), words: words(1) }) },
  )
  .map((given) => {
    const all: {
      readonly words: readonly string[]
      readonly phrases: readonly (readonly string[])[]
      readonly ids: readonly string[]
    } = { words: [], phrases: [], ids: [], ...given }
    const quoted = all.phrases.map((phrase) => `"${phrase.join(' ')}"`)
    return { ...all, term: [...all.words, ...quoted, ...all.ids].join(' ') }
  })

const comparisons = (values: fc.Arbitrary<number>): fc.Arbitrary<Comparison> =>
  fc.record({ operator: fc.constantFrom('=', '>', '<', '>=', '<='), value: values })

/** Filters, few of which are set at a time. */
export const filters: fc.Arbitrary<CveFilters> = fc
  .array(
    fc.oneof(
      fc.record({ cvss2: comparisons(scores) }),
      fc.record({ cvss3: comparisons(fc.oneof(scores, fc.constant(7.05))) }),
      fc.record({ cvss4: comparisons(scores) }),
      fc.record({ year: comparisons(fc.constantFrom(2019, 2020, 2021, 2022)) }),
      fc.record({ epss: comparisons(fc.oneof(steps, fc.constant(0.123456))) }),
      fc.record({ epssPercentile: comparisons(steps) }),
      fc.record({ published: comparisons(days) }),
      fc.record({ modified: comparisons(days) }),
      fc.record({ exploitedSince: comparisons(days) }),
      fc.record({ isExploited: fc.boolean() }),
      fc.record({ isRansomware: fc.boolean() }),
      fc.record({ cweId: fc.constantFrom(...CWES, 'cwe-79', 'CWE-1') }),
      fc.record({ vendor: fc.constantFrom(...VENDORS, 'ACME', 'acm', '*') }),
      fc.record({ product: fc.constantFrom(...PRODUCTS, 'Gamma', '*') }),
      fc.record({ version: fc.constantFrom('1.0', '2', '2.10', '2.17', '-') }),
      fc.record({
        vector: fc.uniqueArray(fc.constantFrom(...METRICS, 'av:n', 'E:X'), {
          minLength: 1,
          maxLength: 3,
        }),
      }),
      fc.record({ referenceHost: fc.constantFrom(...HOSTS, 'EXAMPLE.com', 'example') }),
      fc.record({ referenceTag: fc.constantFrom(...TAGS, 'exploit') }),
    ),
    { maxLength: 2 },
  )
  .map((given) => Object.assign({}, ...given) as CveFilters)

/** A small page, so that several are needed. */
export const pages = fc.option(
  fc.record({ page: fc.integer({ min: 1, max: 4 }), size: fc.integer({ min: 1, max: 5 }) }),
  { nil: undefined, freq: 1 },
)

function toDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}
