import type { Page, PageResult, ViewedRequest } from '../page.ts'
import { answerCve } from './cve-page.ts'
import { answerDownload } from './download.ts'
import { answerSearch } from './search-page.ts'
import { answerVendors } from './vendors-page.ts'

type Answer = (request: ViewedRequest) => Promise<PageResult>

/** Pages of the vulnerability database. */
export const vulnerabilitiesPages: readonly Page[] = [
  page('/vulnerabilities', answerSearch),
  page('/vulnerabilities/download', answerDownload),
  page('/vulnerabilities/vendors', answerVendors),
  page('/vulnerabilities/:cve', answerCve),
]

function page(path: string, answer: Answer): Page {
  return { method: 'GET', path, access: 'read', section: 'vulnerabilities', handle: answer }
}
