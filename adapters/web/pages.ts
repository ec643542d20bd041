import { accountPages } from './account/pages.ts'
import { cataloguePages } from './catalogue/pages.ts'
import { importsPages } from './imports/pages.ts'
import { overviewPages } from './overview/pages.ts'
import type { Page } from './page.ts'
import { rateLimitsPages } from './rate-limits/pages.ts'
import { scansPages } from './scans/pages.ts'
import { vulnerabilitiesPages } from './vulnerabilities/pages.ts'

/** Every page of a console; of two that fit a path, the first is taken. */
export function listPages(options: { readonly hasOwnLogIn: boolean }): readonly Page[] {
  return options.hasOwnLogIn ? [...PAGES, ...accountPages] : PAGES
}

const PAGES: readonly Page[] = [
  ...overviewPages,
  ...cataloguePages,
  ...vulnerabilitiesPages,
  ...scansPages,
  ...rateLimitsPages,
  ...importsPages,
]
