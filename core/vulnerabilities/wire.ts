import * as v from 'valibot'
import { AUTHORITIES, EXPLOITATIONS } from './records.ts'

export { searchBodySchema } from './search-body.ts'

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
  aliases: v.pipe(
    v.array(v.string()),
    v.description('IDs in other databases to which a reference points: GHSA and EUVD.'),
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
  authorities: v.pipe(
    v.array(
      v.object({ name: v.picklist(AUTHORITIES), status: v.string(), last_modified: v.string() }),
    ),
    v.description('The records joined here: that of NVD, and that of the CVE Program.'),
  ),
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
      age_seconds: v.pipe(v.nullable(integer), v.description('Seconds since it was loaded.')),
      data_at: v.pipe(
        v.nullable(v.string()),
        v.description(
          'Date of the data: the newest change of a record, the release of KEV, or the day of the ' +
            'EPSS scores; null if unknown.',
        ),
      ),
      data_age_seconds: v.pipe(v.nullable(integer), v.description('Seconds since that date.')),
      attempted_at: v.optional(
        v.pipe(v.nullable(v.string()), v.description('End of the last scheduled sync of it.')),
      ),
      error: v.optional(
        v.pipe(v.nullable(v.string()), v.description('Why that sync failed or was partial.')),
      ),
    }),
  ),
  sync: v.optional(
    v.pipe(
      v.object({ running: v.boolean(), next_at: v.nullable(v.string()) }),
      v.description('Scheduled syncs, if the service has any.'),
    ),
  ),
})
