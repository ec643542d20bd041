import type { Api, NetworkScan, ProjectScan } from '../../../core/index.ts'
import { type Html, html } from '../../../core/shared/html.ts'
import type { ViewedRequest } from '../page.ts'
import { table } from '../parts/table.ts'
import { badge, count, empty, time } from '../parts/text.ts'
import { toScanPath } from '../scans/paths.ts'

/** Which of the viewer's projects and networks use an API. */
export async function usesSection(
  { app, viewer, origin }: ViewedRequest,
  api: Pick<Api, 'id'>,
): Promise<Html> {
  const { projects, networks, isPartial } = await app.scans.findUses(viewer.caller.account, api.id)
  const heading = html`<h2 id="uses">Used by</h2>`
  if (projects.length === 0 && networks.length === 0) {
    return html`${heading}${empty(
      'None of your scans has found it',
      html`<p>Scan a project or the traffic of a network to know who uses it:</p><pre>api-discovery scan project FOLDER --submit ${origin ?? 'http://127.0.0.1:8080'}</pre>`,
    )}`
  }
  return html`${heading}
<p class="soft">By the newest scan of each in which it was found${isPartial ? '; of many scans, the newest were looked at' : ''}.</p>
${projects.length > 0 ? projectTable(projects) : ''}
${networks.length > 0 ? networkTable(networks) : ''}`
}

function projectTable(rows: readonly ProjectScan[]): Html {
  return table({
    caption: `Projects (${count(rows.length)})`,
    columns: [
      {
        title: 'Project',
        isHead: true,
        cell: ({ id, name }: ProjectScan) =>
          html`<a href="${toScanPath({ kind: 'project', id })}">${name}</a>`,
      },
      { title: 'Scanned', isTight: true, cell: ({ createdAt }) => time(createdAt) },
      { title: 'Endpoints', isNumber: true, cell: ({ endpoints }) => count(endpoints) },
      { title: 'Approved', cell: ({ isApproved }) => toVerdict(isApproved) },
    ],
    rows,
  })
}

function networkTable(rows: readonly NetworkScan[]): Html {
  return table({
    caption: `Networks (${count(rows.length)})`,
    columns: [
      {
        title: 'Network',
        isHead: true,
        cell: ({ instanceId: id, networkName, projectName }: NetworkScan) =>
          html`<a href="${toScanPath({ kind: 'network', id })}">${networkName || 'No name'}</a>${projectName ? html` <span class="soft">${projectName}</span>` : ''}`,
      },
      { title: 'Scanned', isTight: true, cell: ({ startedAt }) => time(startedAt) },
      { title: 'Flows', isNumber: true, cell: ({ flows }) => count(flows) },
      { title: 'Approved', cell: ({ isApproved }) => toVerdict(isApproved) },
    ],
    rows,
  })
}

function toVerdict(approval: ProjectScan['isApproved']): Html {
  if (approval === 'yes') return badge('Approved', 'good')
  return approval === 'no' ? badge('Refused', 'bad') : badge('Not decided')
}
