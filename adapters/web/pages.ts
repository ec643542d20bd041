import { accountPages } from './account/pages.ts'
import { cataloguePages } from './catalogue/pages.ts'
import { guidesPages } from './guides/pages.ts'
import { importsPages } from './imports/pages.ts'
import { overviewPages } from './overview/pages.ts'
import type { Page } from './page.ts'
import { rateLimitsPages } from './rate-limits/pages.ts'
import { scansPages } from './scans/pages.ts'
import { vulnerabilitiesPages } from './vulnerabilities/pages.ts'

/** Lists every page of a console. If a path matches two pages, the first one wins. */
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
  ...guidesPages,
]
