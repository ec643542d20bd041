import type { Api } from '../../../core/catalogue/index.ts'
import type { ApiUsingScan, NetworkScan, ProjectScan } from '../../../core/scans/index.ts'
import { type Html, html } from '../../../core/shared/html.ts'
import type { ViewedRequest } from '../page.ts'
import { table } from '../parts/table.ts'
import { badge, emptyState, formatNumber, timeElement } from '../parts/text.ts'
import { toScanPath } from '../scans/paths.ts'

/** Renders the viewer's projects and networks that use an API. */
export async function renderUsagesSection(
  { app, viewer, apiUrl, command }: ViewedRequest,
  api: Pick<Api, 'id'>,
): Promise<Html> {
  const { projects, networks, isPartial } = await app.scans.findScansUsingApi(
    viewer.caller.account,
    api.id,
  )
  const heading = html`<h2 id="uses">Used by</h2>`
  if (projects.length === 0 && networks.length === 0) {
    return html`${heading}${emptyState(
      'Not found in your scans',
      html`<p>Scan projects or network traffic to find usages:</p><pre>${command} scan project FOLDER --submit ${apiUrl}</pre>`,
    )}`
  }
  return html`${heading}
<p class="soft">Usages in the newest scan of each project and network${isPartial ? '; only the newest scans are listed' : ''}.</p>
${projects.length > 0 ? projectTable(projects) : ''}
${networks.length > 0 ? networkTable(networks) : ''}`
}

function projectTable(rows: readonly ApiUsingScan<ProjectScan>[]): Html {
  return table({
    caption: `Projects (${formatNumber(rows.length)})`,
    columns: [
      {
        title: 'Project',
        isHead: true,
        cell: ({ scan: { id, name } }: ApiUsingScan<ProjectScan>) =>
          html`<a href="${toScanPath({ kind: 'project', id })}">${name}</a>`,
      },
      { title: 'Scanned', isTight: true, cell: ({ scan }) => timeElement(scan.createdAt) },
      { title: 'Endpoints', isNumber: true, cell: ({ counts }) => formatNumber(counts.usages) },
      { title: 'Approved', cell: ({ counts }) => renderReviewStatus(counts) },
    ],
    rows,
  })
}

function networkTable(rows: readonly ApiUsingScan<NetworkScan>[]): Html {
  return table({
    caption: `Networks (${formatNumber(rows.length)})`,
    columns: [
      {
        title: 'Network',
        isHead: true,
        cell: ({ scan: { instanceId: id, networkName, projectName } }: ApiUsingScan<NetworkScan>) =>
          html`<a href="${toScanPath({ kind: 'network', id })}">${networkName || 'No name'}</a>${projectName ? html` <span class="soft">${projectName}</span>` : ''}`,
      },
      { title: 'Scanned', isTight: true, cell: ({ scan }) => timeElement(scan.startedAt) },
      { title: 'Flows', isNumber: true, cell: ({ counts }) => formatNumber(counts.rows) },
      { title: 'Approved', cell: ({ counts }) => renderReviewStatus(counts) },
    ],
    rows,
  })
}

/** Renders the review status: rejected if at least one usage is. */
function renderReviewStatus({ usages, approved, rejected }: ApiUsingScan<unknown>['counts']): Html {
  if (rejected > 0) return badge('Rejected', 'bad')
  if (approved === usages) return badge('Approved', 'good')
  return approved > 0
    ? badge(`${formatNumber(approved)} of ${formatNumber(usages)} approved`)
    : badge('Unreviewed')
}
