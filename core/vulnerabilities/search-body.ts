import * as v from 'valibot'
import { EXPLOITATIONS } from './records.ts'
import { SEVERITIES } from './search/severities.ts'
import * as read from './search-members.ts'

const MAX_PAGE = 1_000_000_000
const name = { maxLength: 200, wanted: 'a name of at most 200 characters' }

const searchBodyEntries = {
  search_term: read.term(
    'Words, "phrases" in quotes, IDs (CVE, GHSA, EUVD); all must match. At most 256 characters, 16 words.',
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
  purl: read.text(
    { maxLength: 500, pattern: /^pkg:/i, wanted: 'a package URL like pkg:npm/lodash@4.17.15' },
    'Package URL of an affected package. Without a version, all records of the package match; with one, those whose ranges cover it.',
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
