import type { ApiUseCounts, UsedApi } from '../../../core/index.ts'
import { html } from '../../../core/shared/html.ts'
import { toApiPath } from '../catalogue/links.ts'
import type { PageAnswer, ViewedRequest } from '../page.ts'
import { pager, readPage } from '../parts/pager.ts'
import { table } from '../parts/table.ts'
import { badge, count, empty } from '../parts/text.ts'
import { type ScanKind, toScanPath } from './paths.ts'
import { scanHead, toTitle } from './scan-head.ts'
import { apiBadges } from './uses-list.ts'

const PAGE_SIZE = 25

/** The APIs that a scan found, those with the most to review first. */
export async function answerApis(request: ViewedRequest, kind: ScanKind): Promise<PageAnswer> {
  const { app, params, query, viewer } = request
  const name = { kind, id: params.id ?? '' }
  const counted = await app.scans.getCounted(viewer.caller.account, name)
  const page = readPage(query)
  const rows = counted.apis.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE)
  const apis = await app.scans.readUsedApis(rows.flatMap(({ apiId }) => apiId ?? []))
  const path = toScanPath(counted.scan)
  const link = ({ apiId }: ApiUseCounts, show: string, value: number) =>
    value === 0
      ? '0'
      : html`<a href="${path}?${new URLSearchParams({ show, api: String(apiId ?? 'none') })}">${count(value)}</a>`
  const body = html`${scanHead(counted, { tab: 'apis' })}
${
  rows.length === 0
    ? empty(
        page > 1 ? 'There is no such page.' : 'There are no APIs.',
        html`<p><a href="${path}">Back to the scan</a></p>`,
      )
    : table<ApiUseCounts>({
        caption: 'APIs of this scan',
        rows,
        columns: [
          { title: 'API', isHead: true, cell: ({ apiId }) => toName(apiId, apis) },
          { title: 'Known of it', cell: ({ apiId }) => toFacts(apiId, apis) },
          {
            title: 'New, unreviewed',
            isNumber: true,
            cell: (row) => link(row, 'new', row.newUnreviewed),
          },
          {
            title: 'Unreviewed',
            isNumber: true,
            cell: (row) => link(row, 'unreviewed', row.unreviewed),
          },
          { title: 'Refused', isNumber: true, cell: (row) => link(row, 'refused', row.refused) },
          { title: 'Approved', isNumber: true, cell: (row) => link(row, 'approved', row.approved) },
          { title: 'All', isNumber: true, cell: (row) => link(row, 'all', row.uses) },
          ...(kind === 'network'
            ? [{ title: 'Flows', isNumber: true, cell: (row: ApiUseCounts) => count(row.rows) }]
            : []),
        ],
      })
}
${pager({ path: `${path}/apis`, query: new URLSearchParams(), page, pageSize: PAGE_SIZE, total: counted.apis.length })}`
  return { kind: 'page', title: `APIs of ${toTitle(counted.scan)}`, body }
}

type Apis = ReadonlyMap<number, UsedApi>

function toName(apiId: number | undefined, apis: Apis) {
  if (apiId === undefined) return 'Not in the catalogue'
  const api = apis.get(apiId)
  return api ? html`<a href="${toApiPath(api)}">${api.name}</a>` : 'No longer in the catalogue'
}

function toFacts(apiId: number | undefined, apis: Apis) {
  const api = apiId === undefined ? undefined : apis.get(apiId)
  return api ? apiBadges(api) : badge('unknown API', 'warn')
}
