import type { Page, PageResult, ViewedRequest } from '../page.ts'
import { renderCvePage } from './cve-page.ts'
import { handleDownload } from './download.ts'
import { renderSearchPage } from './search-page.ts'
import { renderVendorsPage } from './vendors-page.ts'

type PageHandler = (request: ViewedRequest) => Promise<PageResult>

/** Pages of the vulnerability database. */
export const vulnerabilitiesPages: readonly Page[] = [
  toPage('/vulnerabilities', renderSearchPage),
  toPage('/vulnerabilities/download', handleDownload),
  toPage('/vulnerabilities/vendors', renderVendorsPage),
  toPage('/vulnerabilities/:cve', renderCvePage),
]

function toPage(path: string, answer: PageHandler): Page {
  return { method: 'GET', path, access: 'read', section: 'vulnerabilities', handle: answer }
}
