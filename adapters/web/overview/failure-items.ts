import type { StoredImport } from '../../../core/catalogue/index.ts'
import type { ListedJob } from '../../../core/jobs/index.ts'
import { type Html, html } from '../../../core/shared/html.ts'
import { formatImportName } from '../imports/import-labels.ts'
import { toImportPath } from '../imports/paths.ts'
import { CONSOLE, type ViewedRequest } from '../page.ts'
import { badge, timeElement } from '../parts/text.ts'
import { toRunPath } from '../rate-limits/paths.ts'
import { formatAge, isOld, toSources } from './freshness.ts'
import type { Figures } from './read-figures.ts'

/** Time for which a failure is listed. */
const REPORTED_MS = 7 * 86_400_000
const NEWEST_PAGE = { page: 1, size: 25 }
const MAX_OF_KIND = 3

/** Lists jobs and imports that failed in the last week and, for operators, failed syncs and old data. */
export async function failureItems(
  request: ViewedRequest,
  figures: Figures,
): Promise<readonly Html[]> {
  const { app, viewer, now } = request
  const { account } = viewer.caller
  const [failed, aborted, imports] = await Promise.all([
    app.jobs.list(account, { ...NEWEST_PAGE, state: 'failed' }),
    app.jobs.list(account, { ...NEWEST_PAGE, state: 'aborted' }),
    app.imports.list(account, NEWEST_PAGE),
  ])
  // A cancelled job is not reported: a user stopped it.
  const jobs = [...failed.items, ...aborted.items.filter(({ isCancelled }) => !isCancelled)]
  const isNew = (at: number | undefined) => at !== undefined && now - at < REPORTED_MS
  return [
    ...jobs
      .filter(({ endedAt }) => isNew(endedAt))
      .slice(0, MAX_OF_KIND)
      .map(jobItem),
    ...findUnresolvedImports(imports.items)
      .filter(({ at }) => isNew(at))
      .slice(0, MAX_OF_KIND)
      .map(importItem),
    ...(viewer.caller.scopes.has('admin')
      ? [...failedSourceItems(figures), ...oldSourceItems(figures)]
      : []),
  ]
}

function jobItem(job: ListedJob): Html {
  const { kind, number, failure, endedAt } = job
  const name =
    kind === 'rate-limit-test'
      ? html`<a href="${toRunPath({ id: number })}">Rate-limit test ${number}</a>`
      : html`The job ${kind} ${number}`
  return html`<li>${badge('Stopped', 'bad')} ${name} did not finish: ${failure || 'unknown reason'} <span class="soft">${timeElement(endedAt)}</span></li>\n`
}

/** Finds failed imports that are not followed by another import of the same file. */
function findUnresolvedImports(newestFirst: readonly StoredImport[]): readonly StoredImport[] {
  const seenFileNames = new Set<string>()
  return newestFirst.filter(({ outcome, fileName }) => {
    const isFirst = !seenFileNames.has(fileName)
    if (fileName !== '') seenFileNames.add(fileName)
    return outcome.kind === 'failed' && isFirst
  })
}

function importItem(stored: StoredImport): Html {
  const { outcome, at } = stored
  const reason = outcome.kind === 'failed' ? outcome.message : ''
  return html`<li>${badge('Failed', 'bad')} Import of <a href="${toImportPath(stored)}">${formatImportName(stored)}</a>: ${reason} <span class="soft">${timeElement(at)}</span></li>\n`
}

/** A sync that failed is retried, so it is listed until the next one of its source. */
function failedSourceItems({ vulnerabilities }: Figures): readonly Html[] {
  return vulnerabilities.sources.flatMap(({ name, error, attempted_at: at }) =>
    error && at
      ? [
          html`<li>${badge('Failed', 'bad')} <a href="${CONSOLE}/status#syncs">Sync of ${name}</a>: ${error} <span class="soft">${timeElement(Date.parse(at))}</span></li>\n`,
        ]
      : [],
  )
}

/** A sync that fails or is not run is visible in the age of its data. */
function oldSourceItems({ vulnerabilities }: Figures): readonly Html[] {
  return toSources(vulnerabilities.sources)
    .filter((source) => isOld(source) && source.loadedAt !== undefined)
    .map(
      ({ title, ageS }) =>
        html`<li>${badge('Old', 'warn')} ${title}: ${formatAge(ageS)} old. Its sync failed or did not run: see <a href="${CONSOLE}/#freshness">freshness</a>.</li>\n`,
    )
}
