import type { KeySummary } from '../../../core/accounts/index.ts'
import type { StoredImport } from '../../../core/catalogue/index.ts'
import type { ListedJob } from '../../../core/jobs/index.ts'
import type { CountedScan } from '../../../core/scans/index.ts'
import { type Html, html } from '../../../core/shared/html.ts'
import { toKeyPath } from '../account/account-keys.ts'
import { toApiPath } from '../catalogue/links.ts'
import { formatImportName } from '../imports/import-labels.ts'
import { toImportPath } from '../imports/paths.ts'
import { CONSOLE, type ViewedRequest } from '../page.ts'
import { badge, formatNumber, note, timeElement } from '../parts/text.ts'
import { toRunPath } from '../rate-limits/paths.ts'
import { formatUsageCount } from '../scans/group-labels.ts'
import { SCANS_PATH, toScanPath } from '../scans/paths.ts'
import { formatAge, isOld, toSources } from './freshness.ts'
import type { Figures } from './read-figures.ts'

/** Lists everything that needs attention, most urgent first. */
export async function attentionSection(request: ViewedRequest, figures: Figures): Promise<Html> {
  const items = [
    ...(await exploitedItems(request, figures)),
    ...scanItems(figures),
    ...(await failureItems(request, figures)),
    ...(await keyItems(request)),
    ...(await deprecatedItems(request, figures)),
  ]
  if (items.length === 0) {
    if (figures.scannedCount === 0) return html``
    return html`<h2>Needs attention</h2>${note('Nothing to do: no scan needs a review, no API in use is known to be exploited, no job or import has failed, and no key expires soon.', 'good')}${coverageNote(figures)}`
  }
  return html`<h2>Needs attention</h2><ul class="lines">${items}</ul>${coverageNote(figures)}`
}

/** States the limits of the page if there are more scans or APIs than it covers. */
function coverageNote({ scans, scannedCount, apisInUse, apisInUseCount }: Figures): Html {
  if (scans.length === scannedCount && apisInUse.length === apisInUseCount) return html``
  return html`<p class="soft">Based on the newest scans of ${formatNumber(scans.length)} of ${formatCount(scannedCount, 'project or network', 'projects and networks')}, and ${formatNumber(apisInUse.length)} of ${formatCount(apisInUseCount, 'API', 'APIs')} that they use. See <a href="${SCANS_PATH}">all scans</a>.</p>`
}

/** Scans to review that are listed; the others are only counted. */
const MAX_SCANS = 8

async function exploitedItems(
  request: ViewedRequest,
  { apisInUse }: Figures,
): Promise<readonly Html[]> {
  const hit = apisInUse.filter(({ exploited }) => exploited > 0)
  return Promise.all(
    hit.map(async ({ facts, exploited, exploitedIds }) => {
      const links = exploitedIds.map(
        (id, index) =>
          html`${index > 0 ? ', ' : ''}<a href="${CONSOLE}/vulnerabilities/${id}">${id}</a>`,
      )
      return html`<li>${badge('Known exploited', 'worst')} ${await apiLink(request, facts.id)} of ${facts.vendor.name} matches the name of a product with ${formatCount(exploited, 'exploited vulnerability', 'exploited vulnerabilities')}: ${links}. The match is unconfirmed: compare the versions.</li>\n`
    }),
  )
}

function scanItems({ scans }: Figures): readonly Html[] {
  const open = scans.filter(({ counts }) => counts.unreviewed > 0)
  const sorted = [...open].sort((a, b) => b.counts.newUnreviewed - a.counts.newUnreviewed)
  const more = sorted.length - MAX_SCANS
  const shown = sorted.slice(0, MAX_SCANS).map(({ scan, counts }) => {
    const isNew = counts.newUnreviewed > 0
    const summary = isNew
      ? html`has ${formatUsageCount(scan.kind, counts.newUnreviewed)} that are new and unreviewed`
      : html`has ${formatUsageCount(scan.kind, counts.unreviewed)} to review`
    return html`<li>${isNew ? badge('New', 'bad') : badge('Unreviewed', 'warn')} ${scan.kind === 'project' ? 'Project' : 'Network'} ${scanLink(scan)} ${summary}.</li>\n`
  })
  if (more <= 0) return shown
  const rest = formatCount(more, 'more scan needs', 'more scans need')
  return [
    ...shown,
    html`<li>${badge('Unreviewed', 'warn')} <a href="${SCANS_PATH}">${rest}</a> a review.</li>\n`,
  ]
}

/** Scans listed for each API with deprecated endpoints in use. */
const MAX_USING_SCANS = 3

async function deprecatedItems(
  request: ViewedRequest,
  { apisInUse, scans }: Figures,
): Promise<readonly Html[]> {
  const hit = apisInUse.flatMap(({ facts, deprecated }) =>
    deprecated ? [{ facts, deprecated }] : [],
  )
  return Promise.all(
    hit.map(async ({ facts, deprecated }) => {
      const number = deprecated.endpointIds.size
      const endpoints = formatCount(number, 'deprecated endpoint', 'deprecated endpoints')
      const users = scans.filter(({ scan }) => deprecated.scans.has(scan.number))
      return html`<li>${badge('Deprecated', 'warn')} ${endpoints} of ${await apiLink(request, facts.id)} (${facts.vendor.name}) ${number === 1 ? 'is' : 'are'} used by ${usingScanLinks(users)}.</li>\n`
    }),
  )
}

function usingScanLinks(users: readonly CountedScan[]): Html {
  const more = users.length - MAX_USING_SCANS
  const shown = users.slice(0, MAX_USING_SCANS)
  return html`${shown.map(({ scan }, index) => html`${index > 0 ? ', ' : ''}${scanLink(scan)}`)}${more > 0 ? ` and ${formatNumber(more)} more` : ''}`
}

function scanLink(scan: CountedScan['scan']): Html {
  const name = scan.kind === 'project' ? scan.projectName : scan.networkName
  return html`<a href="${toScanPath(scan)}">${name || scan.id}</a>`
}

async function apiLink({ app }: ViewedRequest, id: number): Promise<Html> {
  const api = await app.catalogue.getApi(String(id))
  return html`<a href="${toApiPath(api)}">${api.name}</a>`
}

function formatCount(number: number, one: string, many: string): string {
  return `${formatNumber(number)} ${number === 1 ? one : many}`
}

const DAY_MS = 86_400_000
/** Time before its expiry from which a key is listed. */
const SOON_MS = 14 * DAY_MS
const MAX_KEYS = 5
const REFUSALS_PAGE = { page: 1, size: 100 }

/** Lists keys that expire soon, and the number of keys with refused requests in the last day. */
async function keyItems(request: ViewedRequest): Promise<readonly Html[]> {
  const { app, viewer, now, session } = request
  const { account } = viewer.caller
  const [keys, refusals] = await Promise.all([
    app.accounts.listKeys(account),
    app.accounts.listRefusals(account, REFUSALS_PAGE),
  ])
  // If the host authenticates users, there are no pages of keys.
  const hasPages = session !== undefined
  const ending = keys.filter(({ revokedAt, expiresAt }) => {
    if (revokedAt !== undefined || expiresAt === undefined) return false
    return expiresAt > now && expiresAt - now < SOON_MS
  })
  ending.sort((a, b) => (a.expiresAt ?? 0) - (b.expiresAt ?? 0))
  const refused = refusals.items.filter(({ lastAt }) => now - lastAt < DAY_MS)
  const refusedKeys = new Set(refused.map(({ keyId }) => keyId)).size
  const link = hasPages
    ? html`<a href="${CONSOLE}/account/refused">Requests with ${formatKeyCount(refusedKeys)}</a>`
    : html`Requests with ${formatKeyCount(refusedKeys)}`
  return [
    ...ending.slice(0, MAX_KEYS).map((key) => expiringKeyItem(key, hasPages)),
    ...(refusedKeys > 0
      ? [html`<li>${badge('Refused', 'warn')} ${link} were refused in the last day.</li>\n`]
      : []),
  ]
}

function expiringKeyItem(key: KeySummary, hasPages: boolean): Html {
  const name = hasPages ? html`<a href="${toKeyPath(key)}">${key.name}</a>` : key.name
  return html`<li>${badge('Expires soon', 'warn')} API key ${name} (<code>${key.hint}</code>) expires on ${timeElement(key.expiresAt)} UTC. Replace it before then.</li>\n`
}

function formatKeyCount(keys: number): string {
  return `${formatNumber(keys)} ${keys === 1 ? 'key' : 'keys'}`
}

/** Time for which a failure is listed. */
const REPORTED_MS = 7 * 86_400_000
const NEWEST_PAGE = { page: 1, size: 25 }
const MAX_OF_KIND = 3

/** Lists jobs and imports that failed in the last week and, for operators, failed syncs and old data. */
async function failureItems(request: ViewedRequest, figures: Figures): Promise<readonly Html[]> {
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
