import type { ListedJob, StoredImport } from '../../../core/index.ts'
import { type Html, html } from '../../../core/shared/html.ts'
import { formatImportName } from '../imports/import-labels.ts'
import { toImportPath } from '../imports/paths.ts'
import { CONSOLE, type ViewedRequest } from '../page.ts'
import { badge, timeElement } from '../parts/text.ts'
import { toRunPath } from '../rate-limits/paths.ts'
import type { Figures } from './figures.ts'
import { ageWords, isOld, toSources } from './freshness.ts'

/** Time for which a failure is listed. */
const TOLD_MS = 7 * 86_400_000
const LOOKED_AT = { page: 1, size: 25 }
const MAX_OF_KIND = 3

/** Lists jobs and imports that failed in the last week, and, for operators, data that is old. */
export async function stoppedItems(
  request: ViewedRequest,
  figures: Figures,
): Promise<readonly Html[]> {
  const { app, viewer, now } = request
  const { account } = viewer.caller
  const [failed, aborted, imports] = await Promise.all([
    app.jobs.list(account, { ...LOOKED_AT, state: 'failed' }),
    app.jobs.list(account, { ...LOOKED_AT, state: 'aborted' }),
    app.imports.list(account, LOOKED_AT),
  ])
  // A cancelled job is not reported: a user stopped it.
  const jobs = [...failed.items, ...aborted.items.filter(({ isCancelled }) => !isCancelled)]
  const isNew = (at: number | undefined) => at !== undefined && now - at < TOLD_MS
  return [
    ...jobs
      .filter(({ endedAt }) => isNew(endedAt))
      .slice(0, MAX_OF_KIND)
      .map(jobItem),
    ...findUnmended(imports.items)
      .filter(({ at }) => isNew(at))
      .slice(0, MAX_OF_KIND)
      .map(importItem),
    ...(viewer.caller.scopes.has('admin') ? oldItems(figures) : []),
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
function findUnmended(newestFirst: readonly StoredImport[]): readonly StoredImport[] {
  const mended = new Set<string>()
  return newestFirst.filter(({ outcome, fileName }) => {
    const isFirst = !mended.has(fileName)
    if (fileName !== '') mended.add(fileName)
    return outcome.kind === 'failed' && isFirst
  })
}

function importItem(kept: StoredImport): Html {
  const { outcome, at } = kept
  const reason = outcome.kind === 'failed' ? outcome.message : ''
  return html`<li>${badge('Failed', 'bad')} Import of <a href="${toImportPath(kept)}">${formatImportName(kept)}</a>: ${reason} <span class="soft">${timeElement(at)}</span></li>\n`
}

/** A sync that fails or is not run is visible in the age of its data. */
function oldItems({ vulnerabilities }: Figures): readonly Html[] {
  return toSources(vulnerabilities.sources)
    .filter((source) => isOld(source) && source.loadedAt !== undefined)
    .map(
      ({ title, ageS }) =>
        html`<li>${badge('Old', 'warn')} ${title}: ${ageWords(ageS)} old. Its sync failed or did not run: see <a href="${CONSOLE}/#freshness">freshness</a>.</li>\n`,
    )
}
