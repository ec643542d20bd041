import { compareCodePoints } from '../../shared/text.ts'
import type { Approval, CveReview } from '../records.ts'
import { type CveReviewEntry, mergeCveReviewEntries, toCveReviewEntries } from './cve-reviews.ts'
import { type FindDecision, joinDecisions } from './decisions.ts'
import type { ProjectReport } from './project-report.ts'
import { type StoredUsage, toUsageDecisions } from './stored-uses.ts'

/**
 * A baseline that people keep beside their code and edit: every use with its approval, in the words
 * of `PUT /scanned/review`. Read it with `readStoredUses`.
 */
export interface ReviewFile {
  readonly project_name: string
  /** By URL, then method. */
  readonly endpoints: readonly {
    readonly endpoint_url: string
    /** Empty when unknown; where a person leaves it out, every method is meant. */
    readonly endpoint_method?: string
    readonly api_name?: string
    readonly vendor_name?: string
    readonly approval: Approval
    readonly reason?: string
  }[]
  /** CVEs of packages by package and ID; absent for none. Read them with `readCveReviews`. */
  readonly vulnerabilities?: readonly CveReviewEntry[]
}

/**
 * Makes a review file of a report: what is decided stays decided, the rest is `unreviewed`.
 *
 * @example
 * ```ts
 * import { writeFile } from 'node:fs/promises'
 * import { toReviewFile } from 'api-discovery/scans'
 *
 * const file = toReviewFile('storefront', report)
 * await writeFile('api-review.json', JSON.stringify(file, undefined, 2))
 * ```
 */
export function toReviewFile(projectName: string, report: ProjectReport): ReviewFile {
  const ofApis = report.apis.flatMap(({ uses, name, vendorName }) =>
    uses.map((use) => ({ ...use, names: { api_name: name, vendor_name: vendorName } })),
  )
  const ofHosts = report.hosts.flatMap(({ uses }) => uses.map((use) => ({ ...use, names: {} })))
  return {
    project_name: projectName,
    endpoints: [...ofApis, ...ofHosts]
      .map(({ url, method, names, approval, reason }) => ({
        endpoint_url: url,
        endpoint_method: method ?? '',
        ...names,
        ...toDecided({ approval, reason }),
      }))
      .sort(byUse),
    ...withEntries(toCveReviewEntries(report.vulnerablePackages)),
  }
}

/**
 * Adds the reviews of CVEs of the replaced file, which take precedence.
 *
 * @example
 * ```ts
 * import { readFile } from 'node:fs/promises'
 * import { mergeCveReviews, readCveReviews, toReviewFile } from 'api-discovery/scans'
 *
 * const before = readCveReviews(await readFile('api-review.json', 'utf8'))
 * const file = mergeCveReviews(toReviewFile('storefront', report), before)
 * ```
 */
export function mergeCveReviews(file: ReviewFile, before: readonly CveReview[]): ReviewFile {
  return { ...file, ...withEntries(mergeCveReviewEntries(file.vulnerabilities ?? [], before)) }
}

function withEntries(entries: readonly CveReviewEntry[]): Pick<ReviewFile, 'vulnerabilities'> {
  return entries.length === 0 ? {} : { vulnerabilities: entries }
}

/**
 * Joins a review file with the one that it replaces: every decision stays, of endpoints that are
 * used no more as well; a refusal on either side counts, else an approval. Tells how many decisions
 * were kept, and how many endpoints are new.
 *
 * @example
 * ```ts
 * import { readFile, writeFile } from 'node:fs/promises'
 * import { mergeReviewFile, readStoredUsages, toReviewFile } from 'api-discovery/scans'
 *
 * const before = readStoredUsages(await readFile('api-review.json', 'utf8'))
 * const { file } = mergeReviewFile(toReviewFile('storefront', report), before)
 * await writeFile('api-review.json', JSON.stringify(file, undefined, 2))
 * ```
 */
export function mergeReviewFile(
  file: ReviewFile,
  before: readonly StoredUsage[],
): { readonly file: ReviewFile; readonly kept: number; readonly added: number } {
  const toKey = (url: string, method: string | undefined) => `${method ?? '*'} ${url}`
  const isKnown = new Set(before.map(({ url, method }) => toKey(url, method)))
  const decided = toUsageDecisions(before).filter(
    ({ approval, reason }) => approval !== 'unreviewed' || reason !== '',
  )
  const decide = joinDecisions([decided])
  const endpoints = file.endpoints.map((endpoint) => {
    const { approval, reason = '', ...use } = endpoint
    const old = decide({ url: use.endpoint_url, method: use.endpoint_method })
    if (approval === old.approval) {
      return { ...use, ...toDecided({ approval, reason: old.reason || reason }) }
    }
    const counts = old.approval === 'no' || (approval !== 'no' && old.approval === 'yes')
    return counts ? { ...use, ...toDecided(old) } : endpoint
  })
  const isUsed = new Set(endpoints.map((one) => toKey(one.endpoint_url, one.endpoint_method)))
  const unused = decided
    .filter(({ url, method }) => !isUsed.has(toKey(url, method)))
    .map(({ url, method, approval, reason }) => ({
      endpoint_url: url,
      ...(method === undefined ? {} : { endpoint_method: method }),
      ...toDecided({ approval, reason }),
    }))
  const isNew = ({ endpoint_url: url, endpoint_method: method }: Endpoint) =>
    !isKnown.has(toKey(url, method)) && !isKnown.has(toKey(url, undefined))
  return {
    file: { ...file, endpoints: [...endpoints, ...unused].sort(byUse) },
    kept: decided.length,
    added: endpoints.filter(isNew).length,
  }
}

type Endpoint = ReviewFile['endpoints'][number]

function toDecided({ approval, reason }: ReturnType<FindDecision>) {
  return { approval, ...(reason === '' ? {} : { reason }) }
}

function byUse(a: Endpoint, b: Endpoint): number {
  return (
    compareCodePoints(a.endpoint_url, b.endpoint_url) ||
    compareCodePoints(a.endpoint_method ?? '', b.endpoint_method ?? '')
  )
}
