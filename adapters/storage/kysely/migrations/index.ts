import { foundation } from './0001-foundation.ts'
import { vulnerabilities } from './0002-vulnerabilities.ts'
import { gateway } from './0003-gateway.ts'
import { scans } from './0004-scans.ts'
import { jobs } from './0005-jobs.ts'
import { answerCounts } from './0006-answer-counts.ts'
import { endpointFacets } from './0007-endpoint-facets.ts'
import { users } from './0008-users.ts'
import { scanUses } from './0009-scan-uses.ts'
import { agreements } from './0010-agreements.ts'
import { importReports } from './0011-import-reports.ts'
import { keyRefusals } from './0012-key-refusals.ts'
import { importTimes } from './0013-import-times.ts'
import { callSources } from './0014-call-sources.ts'
import { scanGroups } from './0015-scan-groups.ts'
import { searchVersions } from './0016-search-versions.ts'
import type { Migration } from './migration.ts'

/** All migrations in order; the schema version is the position, starting at 1. */
export const migrations: readonly Migration[] = [
  foundation,
  vulnerabilities,
  gateway,
  scans,
  jobs,
  answerCounts,
  endpointFacets,
  users,
  scanUses,
  agreements,
  importReports,
  keyRefusals,
  importTimes,
  callSources,
  scanGroups,
  searchVersions,
]
