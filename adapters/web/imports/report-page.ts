import type { StoredImport } from '../../../core/catalogue/index.ts'
import { ServiceError } from '../../../core/index.ts'
import { type Html, html } from '../../../core/shared/html.ts'
import { toApiPath } from '../catalogue/links.ts'
import type { PageResult, ViewedRequest } from '../page.ts'
import { table } from '../parts/table.ts'
import { factList, formatNumber, note, timeElement } from '../parts/text.ts'
import {
  formatContents,
  formatImportName,
  renderImporter,
  renderStateBadge,
} from './import-labels.ts'
import { IMPORTS_PATH } from './paths.ts'

/** Shows the report of an import: counts of changes, and warnings. */
export async function renderReport(request: ViewedRequest): Promise<PageResult> {
  const { app, viewer, params, query } = request
  const id = /^[0-9]{1,15}$/.test(params.id ?? '') ? Number(params.id) : undefined
  if (id === undefined) throw new ServiceError('not_found', 'Import not found')
  const kept = await app.imports.get(viewer.caller.account, id)
  const { outcome, apiId, apiName, vendorName, fileName } = kept
  const isDone = query.get('done') === 'imported' && outcome.kind === 'imported'
  const body = html`<p class="crumbs"><a href="${IMPORTS_PATH}">Imports</a></p>
<h1>${formatImportName(kept)}</h1>
${isDone ? note('Description imported.', 'good') : ''}
<p>${renderStateBadge(kept)}</p>
${outcome.kind === 'failed' ? renderImportFailure(outcome) : ''}
${factList([
  ['API', apiId && html`<a href="${toApiPath({ encryptedId: apiId })}">${apiName}</a>`],
  ['Vendor', vendorName],
  ['File', fileName],
  ['Imported by', renderImporter(kept)],
  ['When', html`${timeElement(kept.at)} UTC`],
])}
${outcome.kind === 'imported' ? renderCounts(outcome.report) : ''}
${outcome.kind === 'imported' ? renderWarnings(outcome) : ''}`
  return { kind: 'page', title: `Import of ${formatImportName(kept)}`, body }
}

type Outcome<Kind extends StoredImport['outcome']['kind']> = Extract<
  StoredImport['outcome'],
  { readonly kind: Kind }
>
type Report = Outcome<'imported'>['report']

function renderImportFailure({ message, where }: Outcome<'failed'>): Html {
  const location =
    where !== '' && !message.includes(where) ? html`<p>At <code>${where}</code></p>` : ''
  return html`<h2>Reason</h2>
<p>${message}</p>${location}
<p>Nothing was imported. Fix the description and try again.</p>`
}

const COUNTS: readonly (readonly [
  title: string,
  figure: Exclude<keyof Report, 'warnings'>,
  hint: string,
])[] = [
  ['Added', 'added', 'new in the catalogue'],
  ['Changed', 'changed', 'description differs from the previous one'],
  ['Removed', 'removed', 'no longer in the description'],
  ['Unchanged', 'unchanged', ''],
  ['Skipped', 'skipped', 'could not be interpreted; see the warnings'],
]

function renderCounts(report: Report): Html {
  return html`<h2>Changes</h2>
${table({
  caption: `The description has ${formatContents(report)}`,
  columns: [
    {
      title: report.webhooks + report.callbacks === 0 ? 'Operations' : 'Operations and webhooks',
      isHead: true,
      cell: ([title]: (typeof COUNTS)[number]) => title,
    },
    {
      title: 'Number',
      isNumber: true,
      sortValue: ([, figure]) => report[figure],
      cell: ([, figure]) => formatNumber(report[figure]),
    },
    { title: 'Meaning', cell: ([, , hint]) => hint },
  ],
  rows: COUNTS,
})}
<p class="soft">${formatNumber(report.parameters)} ${report.parameters === 1 ? 'parameter' : 'parameters'} in all.</p>`
}

function renderWarnings({ report: { warnings }, warningCount }: Outcome<'imported'>): Html {
  if (warningCount === 0) return html`<h2>Warnings</h2><p>No warnings.</p>`
  const isCut = warningCount > warnings.length
  return html`<h2>Warnings</h2>
${isCut ? html`<p>Only the first ${formatNumber(warnings.length)} of ${formatNumber(warningCount)} are stored.</p>` : ''}
${table({
  caption: `${formatNumber(warnings.length)} ${warnings.length === 1 ? 'warning' : 'warnings'}, with the location in the description`,
  columns: [
    {
      title: 'Location',
      isHead: true,
      cell: ({ pointer }: Report['warnings'][number]) => html`<code>${pointer || '/'}</code>`,
    },
    { title: 'Warning', cell: ({ message }) => message },
  ],
  rows: warnings,
})}`
}
