import { accountPages } from './account/pages.ts'
import { cataloguePages } from './catalogue/pages.ts'
import { importsPages } from './imports/pages.ts'
import { overviewPages } from './overview/pages.ts'
import type { Page } from './page.ts'
import { rateLimitsPages } from './rate-limits/pages.ts'
import { scansPages } from './scans/pages.ts'
import { vulnerabilitiesPages } from './vulnerabilities/pages.ts'

/** Every page of the console; of two that fit a path, the first is taken. */
export const PAGES: readonly Page[] = [
  ...overviewPages,
  ...cataloguePages,
  ...vulnerabilitiesPages,
  ...scansPages,
  ...rateLimitsPages,
  ...importsPages,
  ...accountPages,
]
