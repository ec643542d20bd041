import * as v from 'valibot'
import { EXPLOITATIONS } from './records.ts'
import { SEVERITIES } from './search/severities.ts'
import * as read from './search-members.ts'

const MAX_PAGE = 1_000_000_000
const name = { maxLength: 200, wanted: 'a name of at most 200 characters' }

const searchBodyEntries = {
  search_term: read.term(
    'Words, "phrases" in quotes, CVE IDs; all must match. At most 256 characters, 16 words.',
  ),
  cvssv2_filter: read.numberFilter('CVSS 2 score: `7`, `>7`, `<= 5.5`, `>=4 <7`.'),
  cvssv3_filter: read.numberFilter('CVSS 3.1 score, else 3.0.'),
  year_published: read.yearFilter('UTC year of publication: `2021`, `>=2019 <=2021`.'),
  cvssv4_filter: read.numberFilter('CVSS 4.0 score.'),
  cvss_filter: read.numberFilter('Score of the newest CVSS version that the record has.'),
  severity: read.choices(
    SEVERITIES,
    'Severities by that score: `critical,high`, or a list. `none`: no score, or a score of 0.',
  ),
  epss_filter: read.numberFilter('EPSS score, 0 to 1.'),
  epss_percentile_filter: read.numberFilter('EPSS percentile, 0 to 1.'),
  kev: read.flag("Only entries of CISA's catalogue of known exploited vulnerabilities."),
  kev_ransomware: read.flag('Only its entries with known use in ransomware campaigns.'),
  kev_added_filter: read.dayFilter('Day on which it was added to that catalogue: `>=2024-01-01`.'),
  published_filter: read.dayFilter('Day of publication, UTC.'),
  modified_filter: read.dayFilter('Day of the last change, UTC.'),
  cwe_id: read.text(
    { maxLength: 30, pattern: /^(CWE|NVD-CWE)-\w+$/i, wanted: 'a weakness like CWE-79' },
    'Weakness, case-insensitive.',
  ),
  vendor: read.text(
    name,
    'Name of an affected vendor, without regard to case, punctuation and a legal form at its end.',
  ),
  product: read.text(name, 'Exact name of an affected product, case-insensitive.'),
  version: read.text(
    {
      maxLength: 100,
      pattern: /^[\p{L}\p{N}]/u,
      wanted: 'a version that begins with a letter or digit, of at most 100 characters',
    },
    'Version of the affected `product`, or of any product of the `vendor`. Ranges match too.',
  ),
  cvss_vector: read.vector('Metrics that one CVSS vector must have, such as `AV:N/PR:N`.'),
  reference_host: read.text(
    { maxLength: 253, pattern: /^[^\s/:@]+$/, wanted: 'a host like github.com' },
    'Host of a reference, case-insensitive.',
  ),
  reference_tag: read.text(
    { maxLength: 100, wanted: 'a tag like Exploit' },
    'Tag of a reference, such as `Exploit`, case-insensitive.',
  ),
  ssvc_exploitation: read.choices(
    EXPLOITATIONS,
    'Exploitation by the latest SSVC assessment: `active`, `poc,active`, or a list.',
  ),
  include_rejected: read.flag('Include rejected records.'),
  extended: read.flag('Return more fields of each record: see the response.'),
  page: read.integer(
    { min: 1, max: MAX_PAGE },
    'Page, from 1; without `page` and `size`, all matches.',
  ),
  size: read.integer({ min: 1, max: 100 }, 'Matches per page; 100 if only `page` is set.'),
}

/** Body of a search request (Specification 4.7). Unknown members are ignored. */
export const searchBodySchema = v.pipe(
  v.object(searchBodyEntries),
  v.forward(
    v.partialCheck(
      [['version'], ['vendor'], ['product']],
      ({ version, vendor, product }) => version === undefined || (vendor ?? product) !== undefined,
      'requires a vendor or a product',
    ),
    ['version'],
  ),
)

export type SearchBody = v.InferOutput<typeof searchBodySchema>

const integer = v.pipe(v.number(), v.integer())

/** Score with one decimal; a hyphen if the record has none. */
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

/** Origin of a reported product; the reporter may omit each member. */
const packageEntries = {
  package_name: v.optional(v.string()),
  package_url: v.optional(v.string()),
  collection_url: v.optional(v.string()),
  repository: v.optional(v.string()),
  platforms: v.optional(v.array(v.string())),
}

/** The fields that `extended` adds. */
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
    v.description('All scores, newest CVSS version first.'),
  ),
  cwe_ids: v.array(v.string()),
  ssvc: v.pipe(
    v.nullable(
      v.object({
        source: v.string(),
        exploitation: v.picklist(EXPLOITATIONS),
        automatable: v.nullable(v.boolean()),
        technical_impact: v.nullable(v.picklist(['partial', 'total'])),
        assessed: v.nullable(v.string()),
      }),
    ),
    v.description('The latest assessment by SSVC.'),
  ),
  affected: v.pipe(
    v.array(
      v.object({
        ...{ source: v.string(), vendor: v.string(), product: v.string() },
        versions: v.array(v.string()),
        ...packageEntries,
      }),
    ),
    v.description(
      'Affected products by source: those of NVD’s configurations, then those of the reporters.',
    ),
  ),
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
    v.description('Assigner of the CVE; "example" for the example records of the package.'),
  ),
  num_versions: v.pipe(
    integer,
    v.description('Number of versions and ranges that the record lists for the named product.'),
  ),
  published: v.string(),
  last_modified: v.string(),
  status: v.string(),
  references: v.array(v.object({ url: v.string(), source: v.string(), tags: v.array(v.string()) })),
  tags: v.array(v.string()),
}

/** The members of the `mapping` before its rows (Specification 2.5). */
export const mappingHeadSchema = v.object({
  num_results: v.pipe(v.string(), v.description('Number of matches on all pages.')),
  processed_search_term: v.string(),
  search_term: v.string(),
})

/** A search result. The members from `cvssv4_score` on are present only if `extended` is set. */
export const vulnerabilitySchema = v.object({
  ...basicEntries,
  ...v.partial(v.object(extendedEntries)).entries,
})

/** Size of the serialised `mapping` in bytes. */
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

const reportedStatus = v.picklist(['affected', 'unaffected', 'unknown'])

/** A complete CVE record. */
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
            v.description('Nested nodes; only in records of legacy feeds.'),
          ),
        }),
      ),
    }),
  ),
  reported_products: v.pipe(
    v.array(
      v.object({
        ...{ source: v.string(), vendor: v.string(), product: v.string() },
        ...packageEntries,
        cpes: v.optional(v.array(v.string())),
        modules: v.optional(v.array(v.string())),
        default_status: reportedStatus,
        versions: v.array(
          v.object({
            version: v.string(),
            status: reportedStatus,
            version_type: v.optional(v.string()),
            less_than: v.optional(v.string()),
            less_than_or_equal: v.optional(v.string()),
            changes: v.optional(v.array(v.object({ at: v.string(), status: reportedStatus }))),
          }),
        ),
      }),
    ),
    v.description('Statements of reporters, spelled as in the feed.'),
  ),
  associated_products: v.array(v.string()),
})

/** Size and age of the loaded data. */
export const statusSchema = v.object({
  records: integer,
  rejected: integer,
  vendors: integer,
  products: integer,
  known_exploited: integer,
  epss_scores: integer,
  completeness: v.pipe(
    v.array(
      v.object({
        year: integer,
        records: integer,
        with_product: integer,
        with_configurations: integer,
        with_score: integer,
        with_neither: integer,
      }),
    ),
    v.description(
      'Number of records by year of publication, without rejected ones: with a product, with ' +
        'configurations of NVD, with a score, and with neither a product nor a score.',
    ),
  ),
  sources: v.array(
    v.object({
      name: v.string(),
      loaded_at: v.nullable(v.string()),
      age_seconds: v.nullable(integer),
    }),
  ),
})
