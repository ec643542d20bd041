import * as v from 'valibot'
import { formatCount } from '../../../core/shared/text.ts'
import { defineTool } from '../define-tool.ts'
import { cutText, describeRest, keepWithinWords } from '../present.ts'
import { integer, maxWords, nextPage, page, text } from './inputs.ts'

const vulnerability = v.object({
  cve_id: v.string(),
  description: v.string(),
  score: v.string(),
  severity: v.string(),
  year: integer,
  is_exploited: v.boolean(),
  affected: v.array(v.string()),
})

const SIZE = 10
const MAX_AFFECTED = 5

/** Searches CVE records. */
export const searchVulnerabilities = defineTool({
  name: 'search_vulnerabilities',
  title: 'Search vulnerabilities',
  description:
    'Finds CVE records by words, ID (CVE, GHSA, EUVD), vendor, product, version or package URL (pkg:npm/lodash@4.17.15), newest first.',
  input: v.object({
    query: text(
      256,
      'Words that all must match, "phrases", or an ID; at least one, such as the name of the product.',
    ),
    vendor: v.optional(text(200, 'Affected vendor.')),
    product: v.optional(text(200, 'Affected product.')),
    version: v.optional(text(100, 'Affected version; needs vendor or product.')),
    package: v.optional(text(500, 'Package URL, with or without a version.')),
    min_score: v.optional(
      v.pipe(v.number(), v.minValue(0), v.maxValue(10), v.description('CVSS.')),
    ),
    exploited: v.optional(
      v.pipe(v.boolean(), v.description("Only those in CISA's list of exploited ones.")),
      false,
    ),
    page,
    max_words: maxWords,
  }),
  output: v.object({
    total: integer,
    page: integer,
    next_page: nextPage,
    vulnerabilities: v.array(vulnerability),
  }),
  scope: 'read',
  effect: 'reads',
  memberNames: { search_term: 'query', purl: 'package', cvss_filter: 'min_score' },
  async run(input, { app, caller }) {
    const { mapping } = await app.call(
      'searchVulnerabilities',
      {
        body: {
          search_term: input.query,
          vendor: input.vendor,
          product: input.product,
          version: input.version,
          purl: input.package,
          ...(input.min_score === undefined ? {} : { cvss_filter: `>=${input.min_score}` }),
          ...(input.exploited ? { kev: true } : {}),
          extended: true,
          page: input.page,
          size: SIZE,
        },
      },
      caller,
    )
    const all = mapping.vulnerabilities.map((each) => ({
      cve_id: each.cve_id,
      description: cutText(each.cve_description, 400),
      ...toScore(each),
      year: each.year_published,
      is_exploited: each.kev !== undefined && each.kev !== null,
      affected: [
        ...new Set(
          (each.affected ?? []).map(({ vendor, product }) => cutText(`${vendor} ${product}`, 100)),
        ),
      ].slice(0, MAX_AFFECTED),
    }))
    const vulnerabilities = keepWithinWords(all, input.max_words)
    const total = Number(mapping.num_results)
    const isLast = input.page * SIZE >= total
    const isEmpty = total === 0 && (await app.vulnerabilities.status()).records === 0
    return {
      data: {
        total,
        page: input.page,
        next_page: isLast ? null : input.page + 1,
        vulnerabilities,
      },
      summary: isEmpty
        ? 'No CVE records are loaded, so that nothing is known about vulnerabilities. Ask the operator to run "api-discovery sync all".'
        : total === 0
          ? 'No CVE record found. Use fewer words, or search by product instead of package.'
          : `${formatCount(total, 'CVE record')} found, newest first.${describeRest(vulnerabilities, all)}${isLast ? '' : ` More: page ${input.page + 1}.`}`,
      lines: vulnerabilities.map(
        (each) =>
          `${each.cve_id} (${each.score} ${each.severity}${each.is_exploited ? ', exploited' : ''}) ${each.affected.join(', ')}: ${each.description}`,
      ),
    }
  },
})

/** The score of the newest CVSS version that the record has. */
function toScore(each: {
  readonly cvssv4_score?: string | undefined
  readonly cvssv4_severity?: string | undefined
  readonly cvssv3_score: string
  readonly cvssv3_severity: string
  readonly cvssv2_score: string
  readonly cvssv2_severity: string
}): { readonly score: string; readonly severity: string } {
  const pairs = [
    [each.cvssv4_score, each.cvssv4_severity],
    [each.cvssv3_score, each.cvssv3_severity],
    [each.cvssv2_score, each.cvssv2_severity],
  ] as const
  const [score = '-', severity = ''] = pairs.find(([first = '-']) => first !== '-') ?? []
  return { score, severity }
}
