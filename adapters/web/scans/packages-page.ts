import type { CountedScan, ScannedPackages } from '../../../core/scans/index.ts'
import { type Html, html } from '../../../core/shared/html.ts'
import { formatCodeLocation } from '../../../core/shared/text.ts'
import type { CvssMetric } from '../../../core/vulnerabilities/index.ts'
import { CONSOLE, type PageResult, type ViewedRequest } from '../page.ts'
import { table } from '../parts/table.ts'
import { badge, emptyState, formatNumber } from '../parts/text.ts'
import { nothingLoaded } from '../vulnerabilities/nothing-loaded.ts'
import { severityBadge } from '../vulnerabilities/severity.ts'
import { getScanTitle, renderScanHead } from './scan-head.ts'

type ScannedPackage = ScannedPackages['vulnerable'][number]

/** Renders the client libraries of a project whose versions have CVEs. */
export async function renderPackagesPage(request: ViewedRequest): Promise<PageResult> {
  const { app, params, viewer, command } = request
  const { account } = viewer.caller
  const id = params.id ?? ''
  const counted = await app.scans.getCounted(account, { kind: 'project', id })
  const { records } = await app.vulnerabilities.status()
  const content =
    records === 0
      ? nothingLoaded(command)
      : renderPackages(await app.scans.findScannedPackages(account, id))
  return {
    kind: 'page',
    title: `Packages of ${getScanTitle(counted.scan)}`,
    body: renderBody(counted, content),
  }
}

function renderBody(counted: CountedScan, content: Html): Html {
  return html`${renderScanHead(counted, { tab: 'packages' })}
${content}`
}

function renderPackages({ checked, vulnerable }: ScannedPackages): Html {
  if (checked === 0) {
    return emptyState(
      'No packages with a version',
      html`<p>No manifest of this project names a vendor's client library in a version. Lock files are not read.</p>`,
    )
  }
  if (vulnerable.length === 0) {
    return emptyState(
      'No known vulnerabilities',
      html`<p>${formatNumber(checked)} ${checked === 1 ? 'client library was' : 'client libraries were'} checked in the ${checked === 1 ? 'version' : 'versions'} of the manifests. No CVE names one of them with a range that covers the version.</p>`,
    )
  }
  const hasLowest = vulnerable.some(({ isLowest }) => isLowest)
  return html`<p class="lead">CVEs affect ${formatNumber(vulnerable.length)} of ${formatNumber(checked)} client libraries in the version of the manifest. Each CVE is confirmed: a reporter names the package, and no range excludes its version.</p>
${table<ScannedPackage>({
  caption: 'Vulnerable packages',
  rows: vulnerable,
  columns: [
    { title: 'Package', isHead: true, cell: renderPackage },
    { title: 'CVEs', isNumber: true, cell: ({ count }) => formatNumber(count) },
    {
      title: 'Worst score',
      isTight: true,
      cell: (one) => severityBadge(findWorstMetric(one)),
      sortValue: (one) => findWorstMetric(one)?.score ?? 0,
    },
    { title: 'Known vulnerabilities', cell: renderCves },
    { title: 'In the code', cell: renderPlaces },
  ],
})}
${hasLowest ? html`<p class="soft">Lowest version: the lowest that the manifest permits. The installed version may be newer.</p>` : ''}`
}

function renderPackage({ purl, isLowest }: ScannedPackage): Html {
  return html`<code>${purl}</code>${isLowest ? html` ${badge('Lowest version')}` : ''}`
}

function renderCves({ found, count }: ScannedPackage): Html {
  const more = count - found.length
  return html`<ul>${found.map(
    ({ id, metric, isExploited, affectedVersions }) =>
      html`<li><a href="${CONSOLE}/vulnerabilities/${id}">${id}</a>${metric ? ` ${metric.score.toFixed(1)}` : ''}${isExploited ? html` ${badge('Known exploited', 'worst')}` : ''}<br><span class="soft">affects ${affectedVersions === '-' ? 'all versions' : affectedVersions}</span></li>`,
  )}</ul>${more > 0 ? html`<p>and ${formatNumber(more)} more</p>` : ''}`
}

function findWorstMetric({ found }: ScannedPackage): CvssMetric | undefined {
  return found
    .flatMap(({ metric }) => metric ?? [])
    .reduce<CvssMetric | undefined>(
      (worst, metric) => (worst && worst.score >= metric.score ? worst : metric),
      undefined,
    )
}

/** Number of locations shown per package. */
const SHOWN_PLACES = 3

function renderPlaces({ places }: ScannedPackage): Html {
  if (places.length === 0) return html`<span class="soft">no location</span>`
  const more = places.length - SHOWN_PLACES
  return html`${places.slice(0, SHOWN_PLACES).map((place) => html`<code>${formatCodeLocation(place)}</code> `)}${more > 0 ? html`<span class="soft">(+${formatNumber(more)})</span>` : ''}`
}
