import * as v from 'valibot'
import * as read from './search-members.ts'

const MAX_PAGE = 1_000_000_000
const name = { maxLength: 200, wanted: 'a name of at most 200 characters' }

const searchBodyEntries = {
  search_term: read.term(
    'Words, "phrases" in quotes, CVE ids; all must be found. At most 256 characters, 16 words.',
  ),
  cvssv2_filter: read.numberFilter('CVSS 2 score: `7`, `>7`, `<= 5.5`, `>=4 <7`.'),
  cvssv3_filter: read.numberFilter('CVSS 3.1 score, else 3.0.'),
  year_published: read.yearFilter('UTC year of publication: `2021`, `>=2019 <=2021`.'),
  cvssv4_filter: read.numberFilter('CVSS 4.0 score.'),
  cvss_filter: read.numberFilter('Score of the newest version of CVSS that the record has.'),
  severity: read.severities(
    'Severities by that score: `critical,high`, or a list. `none`: without a score, or of 0.',
  ),
  epss_filter: read.numberFilter('EPSS score, 0 to 1.'),
  epss_percentile_filter: read.numberFilter('EPSS percentile, 0 to 1.'),
  kev: read.flag("Only what stands in CISA's catalogue of known exploited vulnerabilities."),
  kev_ransomware: read.flag('Only what that catalogue says ransomware campaigns use.'),
  kev_added_filter: read.dayFilter('Day on which that catalogue took it up: `>=2024-01-01`.'),
  published_filter: read.dayFilter('Day of publication, UTC.'),
  modified_filter: read.dayFilter('Day of the last change, UTC.'),
  cwe_id: read.text(
    { maxLength: 30, pattern: /^(CWE|NVD-CWE)-\w+$/i, wanted: 'a weakness like CWE-79' },
    'Weakness, case aside.',
  ),
  vendor: read.text(name, 'Exact name of an affected vendor, case aside.'),
  product: read.text(name, 'Exact name of an affected product, case aside.'),
  version: read.text(
    {
      maxLength: 100,
      pattern: /^[\p{L}\p{N}]/u,
      wanted: 'a version that begins with a letter or digit, of at most 100 characters',
    },
    'Version of the affected `product`, or of any of the `vendor`: ranges are honoured.',
  ),
  cvss_vector: read.vector('Metrics that one CVSS vector must have, as `AV:N/PR:N`.'),
  reference_host: read.text(
    { maxLength: 253, pattern: /^[^\s/:@]+$/, wanted: 'a host like github.com' },
    'Host of a reference, case aside.',
  ),
  reference_tag: read.text(
    { maxLength: 100, wanted: 'a tag like Exploit' },
    'Tag of a reference, as `Exploit`, case aside.',
  ),
  include_rejected: read.flag('Rejected records too.'),
  extended: read.flag('More of each record: see the answer.'),
  page: read.integer({ min: 1, max: MAX_PAGE }, 'Page, from 1; all matches without it.'),
  size: read.integer({ min: 1, max: 100 }, 'Matches per page; 100 when only `page` is given.'),
}

/** What a search takes (Specification 4.7); members it does not know are ignored. */
export const searchBodySchema = v.pipe(
  v.object(searchBodyEntries),
  v.forward(
    v.partialCheck(
      [['version'], ['vendor'], ['product']],
      ({ version, vendor, product }) => version === undefined || (vendor ?? product) !== undefined,
      'must have a vendor or a product beside it',
    ),
    ['version'],
  ),
)

export type SearchBody = v.InferOutput<typeof searchBodySchema>

const integer = v.pipe(v.number(), v.integer())

/** Score with one decimal and severity, each a hyphen where the record has none. */
const score = v.string()

/** The fields of Specification 2.5. */
const basicEntries = {
  cve_id: v.string(),
  cve_description: v.string(),
  vendor: v.string(),
  product: v.string(),
  version: v.string(),
  cvssv2_score: score,
  cvssv2_severity: v.string(),
  cvssv3_score: score,
  cvssv3_severity: v.string(),
  year_published: integer,
}

/** What `extended` adds. */
const extendedEntries = {
  cvssv4_score: score,
  cvssv4_severity: v.string(),
  cvss: v.pipe(
    v.array(
      v.object({
        version: v.string(),
        source: v.string(),
        type: v.picklist(['Primary', 'Secondary']),
        score: v.number(),
        severity: v.string(),
        vector: v.string(),
      }),
    ),
    v.description('All scorings, the newest version first.'),
  ),
  cwe_ids: v.array(v.string()),
  epss: v.nullable(v.object({ score: v.number(), percentile: v.number() })),
  kev: v.nullable(
    v.object({
      name: v.string(),
      date_added: v.string(),
      due_date: v.string(),
      required_action: v.string(),
      ransomware: v.boolean(),
    }),
  ),
  source: v.pipe(
    v.string(),
    v.description('Who assigned the CVE; "example" for the example records of the package.'),
  ),
  num_versions: v.pipe(
    integer,
    v.description('How many versions and ranges of the named product the record lists.'),
  ),
  published: v.string(),
  last_modified: v.string(),
  status: v.string(),
  references: v.array(v.object({ url: v.string(), source: v.string(), tags: v.array(v.string()) })),
  tags: v.array(v.string()),
}

/** The members of the `mapping` before its rows (Specification 2.5). */
export const mappingHeadSchema = v.object({
  num_results: v.pipe(v.string(), v.description('All matches, whatever the page.')),
  processed_search_term: v.string(),
  search_term: v.string(),
})

/** One found record; the members from `cvssv4_score` on only when `extended` is asked for. */
export const vulnerabilitySchema = v.object({
  ...basicEntries,
  ...v.partial(v.object(extendedEntries)).entries,
})

/** Bytes of the serialised `mapping`. */
export const searchTailSchema = v.object({ 'Content-Length': integer })

const cpeMatchSchema = v.object({
  vulnerable: v.boolean(),
  criteria: v.string(),
  version_start_including: v.optional(v.string()),
  version_start_excluding: v.optional(v.string()),
  version_end_including: v.optional(v.string()),
  version_end_excluding: v.optional(v.string()),
})

const nodeEntries = {
  operator: v.picklist(['AND', 'OR']),
  negate: v.boolean(),
  cpe_match: v.array(cpeMatchSchema),
}

/** One record with everything that is known of it. */
export const cveSchema = v.object({
  ...basicEntries,
  ...extendedEntries,
  descriptions: v.array(v.object({ language: v.string(), text: v.string() })),
  weaknesses: v.array(
    v.object({
      cwe_id: v.string(),
      source: v.string(),
      type: v.picklist(['Primary', 'Secondary']),
    }),
  ),
  configurations: v.array(
    v.object({
      operator: v.picklist(['AND', 'OR']),
      negate: v.boolean(),
      nodes: v.array(
        v.object({
          ...nodeEntries,
          children: v.pipe(
            v.array(v.looseObject(nodeEntries)),
            v.description('Nodes again; only in records of legacy feeds.'),
          ),
        }),
      ),
    }),
  ),
  associated_products: v.array(v.string()),
})

/** What is loaded, and how old it is. */
export const statusSchema = v.object({
  records: integer,
  rejected: integer,
  vendors: integer,
  products: integer,
  known_exploited: integer,
  epss_scores: integer,
  sources: v.array(
    v.object({
      name: v.string(),
      loaded_at: v.nullable(v.string()),
      age_seconds: v.nullable(integer),
    }),
  ),
})
