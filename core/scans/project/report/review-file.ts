import type { Approval } from '../../records.ts'
import type { ProjectReport } from './project-report.ts'

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
    readonly endpoint_method: string
    readonly api_name?: string
    readonly vendor_name?: string
    readonly approval: Approval
    readonly reason?: string
  }[]
}

/** Makes a review file of a report: what is decided stays decided, the rest is `unreviewed`. */
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
        approval,
        ...(reason === '' ? {} : { reason }),
      }))
      .sort(
        (a, b) =>
          compare(a.endpoint_url, b.endpoint_url) || compare(a.endpoint_method, b.endpoint_method),
      ),
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
