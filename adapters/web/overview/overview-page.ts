import { type Html, html } from '../../../core/shared/html.ts'
import { CONSOLE, type PageResult, type ViewedRequest } from '../page.ts'
import { badge, emptyState, formatNumber, note } from '../parts/text.ts'
import { attentionSection } from './attention.ts'
import { freshnessSection } from './freshness.ts'
import { type Figures, readFigures } from './read-figures.ts'

const DONE_NOTES = new Map([
  ['invite', 'Your user was created, and you are logged in.'],
  ['reset', 'The password was set, and you are logged in.'],
])

/** Renders the overview: items that need attention, totals and data freshness. */
export async function renderOverview(request: ViewedRequest): Promise<PageResult> {
  const figures = await readFigures(request)
  const done = DONE_NOTES.get(request.query.get('done') ?? '')
  const isOperator = request.viewer.caller.scopes.has('admin')
  const body = html`<h1>Overview</h1>
${done === undefined ? '' : note(done, 'good')}${nextSteps(figures, request)}
${await attentionSection(request, figures)}
${inProgressSection(figures)}
<h2>Totals</h2>
<div class="panels">${toPanels(figures).map(renderPanel)}</div>
${freshnessSection(figures, request)}
${isOperator ? html`<p><a href="${CONSOLE}/status">Service status</a>, for operators</p>` : ''}`
  return { kind: 'page', title: 'Overview', body }
}

interface Panel {
  readonly title: string
  readonly figure: number
  readonly path: string
  readonly more: string
}

function toPanels(figures: Figures): readonly Panel[] {
  const { apis, endpoints, vendors, vulnerabilities, scannedCount, runs } = figures
  const exploited = formatNumber(vulnerabilities.known_exploited)
  return [
    {
      title: 'APIs',
      figure: apis,
      path: '/apis',
      more: `${formatNumber(endpoints)} ${endpoints === 1 ? 'endpoint' : 'endpoints'}, ${formatNumber(vendors)} ${vendors === 1 ? 'vendor' : 'vendors'}`,
    },
    {
      title: 'CVE records',
      figure: vulnerabilities.records,
      path: '/vulnerabilities',
      more: `${formatNumber(vulnerabilities.rejected)} rejected, ${exploited} known to be exploited`,
    },
    {
      title: 'Scanned projects and networks',
      figure: scannedCount,
      path: '/scans',
      more: 'of your account',
    },
    { title: 'Rate-limit tests', figure: runs, path: '/rate-limits', more: 'of your account' },
  ]
}

function renderPanel({ title, figure, path, more }: Panel): Html {
  return html`<section class="panel"><h3><a href="${CONSOLE}${path}">${title}</a></h3><p class="figure">${formatNumber(figure)}</p><p class="soft">${more}</p></section>`
}

function inProgressSection({ openRuns, openJobs }: Figures): Html {
  if (openRuns.length + openJobs.length === 0) return html``
  const state = (text: string) => badge(text === 'queued' ? 'Queued' : 'Running', 'plain')
  return html`<h2>In progress</h2><ul class="lines">${openRuns.map(
    (run) =>
      html`<li>${state(run.state)} <a href="${CONSOLE}/rate-limits/${run.id}">Rate-limit test ${run.id}</a> at ${run.host}, ${formatNumber(run.sent)} ${run.sent === 1 ? 'request' : 'requests'} sent</li>\n`,
  )}${openJobs.map((job) => html`<li>${state(job.state)} ${job.kind} ${job.number}</li>\n`)}</ul><p><a href="${CONSOLE}/">Reload</a></p>`
}

/** Suggests the next steps as long as some kind of data is missing. */
function nextSteps(figures: Figures, { apiUrl, command, session }: ViewedRequest): Html {
  const steps = [
    figures.apis === 0 &&
      renderStep(
        'Import descriptions of APIs',
        `${command} import ./descriptions --create-vendors`,
        '/imports',
      ),
    figures.vulnerabilities.records === 0 &&
      renderStep('Load vulnerabilities (operators)', `${command} sync all`, '/vulnerabilities'),
    figures.scannedCount === 0 &&
      renderStep(
        'Scan a project for the APIs that it uses',
        `export API_DISCOVERY_KEY=…\n${command} scan project . --submit ${apiUrl}`,
        '/scans/submit',
        // If the host authenticates users, there is no account page.
        session === undefined ? undefined : keyHint(),
      ),
  ].filter((each) => each !== false)
  if (steps.length === 0) return html``
  return emptyState(steps.length === 3 ? 'No data yet' : 'Next steps', html`<ol>${steps}</ol>`)
}

/** Renders a step of the list. */
function renderStep(
  ...[title, commands, path, hint]: readonly [string, string, string, Html?]
): Html {
  return html`<li><a href="${CONSOLE}${path}">${title}</a><pre>${commands}</pre>${hint}</li>`
}

function keyHint(): Html {
  return html`<p>Set <code>API_DISCOVERY_KEY</code> to an API key with the scope <code>ingest</code>: show or create one under <a href="${CONSOLE}/account">Account</a>.</p>`
}
