import { toCveUrl } from '../../shared/cves.ts'
import { toSha256Hex } from '../../shared/digests.ts'
import { splitPackageUrl } from '../../shared/package-urls.ts'
import { compareCodePoints } from '../../shared/text.ts'
import type { CveReview, ReviewedPackage, ReviewedVulnerability } from '../records.ts'

/** An OpenVEX 0.2.0 document. */
export interface OpenVexDocument {
  readonly '@context': string
  readonly '@id': string
  readonly author: string
  /** ISO 8601. */
  readonly timestamp: string
  readonly version: number
  readonly tooling: string
  readonly statements: readonly OpenVexStatement[]
}

/** The status of one CVE in one package. */
export interface OpenVexStatement {
  readonly vulnerability: { readonly '@id': string; readonly name: string }
  readonly products: readonly [
    { readonly '@id': string; readonly identifiers: { readonly purl: string } },
  ]
  readonly status: CveReview['status']
  readonly justification?: CveReview['justification']
  readonly impact_statement?: string
  readonly action_statement?: string
  readonly status_notes?: string
  /** Time of the review, ISO 8601; absent if unknown. */
  readonly timestamp?: string
}

/**
 * Creates an OpenVEX document of the CVEs of packages: a statement per package and CVE, sorted by
 * package URL and CVE ID. CVEs without a review are under investigation. The same content and time
 * yield the same document. Invalid package URLs are skipped.
 *
 * @example
 * ```ts
 * import { toOpenVex } from 'api-discovery/scans'
 *
 * const tool = { name: 'storefront-ci', version: '1.0.0' }
 * const options = { author: 'Storefront team', now: Date.now(), tool }
 * const document = await toOpenVex(report.vulnerablePackages, options)
 * ```
 */
export async function toOpenVex(
  packages: readonly ReviewedPackage[],
  options: {
    /** Person or organisation that makes the statements. */
    readonly author: string
    /** Milliseconds since the epoch. */
    readonly now: number
    readonly tool: { readonly name: string; readonly version: string }
  },
): Promise<OpenVexDocument> {
  const { author, now, tool } = options
  const statements = packages
    .flatMap(({ purl, found }) => {
      const url = splitPackageUrl(purl)
      return url ? found.map((cve) => toStatement(url.purl, cve)) : []
    })
    .sort(
      (a, b) =>
        compareCodePoints(a.products[0]['@id'], b.products[0]['@id']) ||
        compareCodePoints(a.vulnerability.name, b.vulnerability.name),
    )
  const content = {
    author,
    timestamp: new Date(now).toISOString(),
    version: 1,
    tooling: `${tool.name} ${tool.version}`,
    statements,
  }
  const digest = await toSha256Hex(JSON.stringify(content))
  return {
    '@context': 'https://openvex.dev/ns/v0.2.0',
    '@id': `https://openvex.dev/docs/public/vex-${digest}`,
    ...content,
  }
}

function toStatement(purl: string, cve: ReviewedVulnerability): OpenVexStatement {
  const { review } = cve
  return {
    vulnerability: { '@id': toCveUrl(cve), name: cve.id },
    products: [{ '@id': purl, identifiers: { purl } }],
    status: review?.status ?? 'under_investigation',
    ...(review && toDetails(review)),
  }
}

/** Puts the note where the status of the review requires a text. */
function toDetails({ status, justification, response, note, at }: CveReview) {
  const text = note === '' ? undefined : note
  const action = text ?? (response && ACTIONS[response]) ?? 'No action is decided yet.'
  return {
    ...(justification && { justification }),
    ...(status === 'not_affected' && text && { impact_statement: text }),
    ...(status === 'affected' && { action_statement: action }),
    ...((status === 'fixed' || status === 'under_investigation') && text && { status_notes: text }),
    ...(at !== undefined && { timestamp: new Date(at).toISOString() }),
  }
}

const ACTIONS = {
  can_not_fix: 'It cannot be fixed.',
  will_not_fix: 'It will not be fixed.',
  update: 'Update the package.',
  rollback: 'Return to an earlier version of the package.',
  workaround_available: 'Use a workaround.',
} as const satisfies Record<NonNullable<CveReview['response']>, string>
