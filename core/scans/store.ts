import type { Account } from '../shared/account.ts'
import type {
  CapturedFlow,
  NetworkFilter,
  NetworkScan,
  ProjectFilter,
  ProjectScan,
  ScannedEndpoint,
} from './records.ts'

/**
 * What other features read of an account's scans: always matched to the catalogue as it is now.
 * Lists come page by page, so that a scan of any size takes the memory of one page.
 */
export interface ScanReads {
  /** Newest first. */
  findProjects(account: Account, filter: ProjectFilter): Promise<readonly ProjectScan[]>
  /** In order of the scan, or API by API: those of no API last, each in order of the scan. */
  listEndpoints(
    account: Account,
    request: { readonly projectId: string; readonly order: 'scan' | 'api' },
  ): AsyncIterable<readonly ScannedEndpoint[]>
  /** One list a repository, the one with the newest scan first; in each, newest first. */
  findNetworks(
    account: Account,
    filter: NetworkFilter,
  ): Promise<readonly (readonly NetworkScan[])[]>
  /** In order of arrival, or API by API: those of no API last, each in order of arrival. */
  listFlows(
    account: Account,
    request: { readonly instanceId: string; readonly order: 'scan' | 'api' },
  ): AsyncIterable<readonly CapturedFlow[]>
}
