import { type Html, html } from '../../../core/shared/html.ts'
import { CONSOLE, type PageAnswer, type ViewedRequest } from '../page.ts'
import { badge, count, empty, note } from '../parts/text.ts'
import { attentionSection } from './attention.ts'
import { type Figures, readFigures } from './figures.ts'
import { freshnessSection } from './freshness.ts'

const DONE = new Map([
  ['invite', 'Your user is created, and you are logged in.'],
  ['reset', 'The password is set, and you are logged in.'],
])

/** What needs the viewer first, what there is, and how fresh it is. */
export async function answerOverview(request: ViewedRequest): Promise<PageAnswer> {
  const figures = await readFigures(request)
  const done = DONE.get(request.query.get('done') ?? '')
  const isOperator = request.viewer.caller.scopes.has('admin')
  const body = html`<h1>Overview</h1>
${done === undefined ? '' : note(done, 'good')}${nextSteps(figures, request)}
${await attentionSection(request, figures)}
${underWay(figures)}
<h2>What there is</h2>
<div class="panels">${toPanels(figures).map(panel)}</div>
${freshnessSection(figures, request)}
${isOperator ? html`<p><a href="${CONSOLE}/status">State of the service</a>, for operators</p>` : ''}`
  return { kind: 'page', title: 'Overview', body }
}

interface Panel {
  readonly title: string
  readonly figure: number
  readonly path: string
  readonly more: string
}

function toPanels(figures: Figures): readonly Panel[] {
  const { apis, endpoints, vendors, vulnerabilities, scanned, runs } = figures
  const exploited = count(vulnerabilities.known_exploited)
  return [
    {
      title: 'APIs',
      figure: apis,
      path: '/apis',
      more: `${count(endpoints)} ${endpoints === 1 ? 'endpoint' : 'endpoints'}, ${count(vendors)} ${vendors === 1 ? 'vendor' : 'vendors'}`,
    },
    {
      title: 'CVE records',
      figure: vulnerabilities.records,
      path: '/vulnerabilities',
      more: `${count(vulnerabilities.rejected)} of them rejected, ${exploited} known to be exploited`,
    },
    {
      title: 'Scanned projects and networks',
      figure: scanned,
      path: '/scans',
      more: 'of your account',
    },
    { title: 'Rate-limit tests', figure: runs, path: '/rate-limits', more: 'of your account' },
  ]
}

function panel({ title, figure, path, more }: Panel): Html {
  return html`<section class="panel"><h3><a href="${CONSOLE}${path}">${title}</a></h3><p class="figure">${count(figure)}</p><p class="soft">${more}</p></section>`
}

function underWay({ openRuns, openJobs }: Figures): Html {
  if (openRuns.length + openJobs.length === 0) return html``
  const state = (text: string) => badge(text === 'queued' ? 'Waits' : 'Runs', 'plain')
  return html`<h2>Under way</h2><ul class="lines">${openRuns.map(
    (run) =>
      html`<li>${state(run.state)} <a href="${CONSOLE}/rate-limits/${run.id}">Rate-limit test ${run.id}</a> at ${run.host}, ${count(run.sent)} ${run.sent === 1 ? 'request' : 'requests'} sent</li>\n`,
  )}${openJobs.map((job) => html`<li>${state(job.state)} ${job.kind} ${job.number}</li>\n`)}</ul><p><a href="${CONSOLE}/">Load again</a></p>`
}

/** What to do first, as long as something is missing. */
function nextSteps(figures: Figures, { apiUrl, command, session }: ViewedRequest): Html {
  const steps = [
    figures.apis === 0 &&
      step(
        'Import descriptions of APIs',
        `${command} import ./descriptions --create-vendors`,
        '/imports',
      ),
    figures.vulnerabilities.records === 0 &&
      step(
        'Load vulnerabilities, for whoever runs this service',
        `${command} sync nvd\n${command} sync kev\n${command} sync epss`,
        '/vulnerabilities',
      ),
    figures.scanned === 0 &&
      step(
        'Scan a project for the APIs that it uses',
        `export API_DISCOVERY_KEY=…\n${command} scan project . --submit ${apiUrl}`,
        '/scans/submit',
        // A host's own log-in has no account area.
        session === undefined ? undefined : keyHint(),
      ),
  ].filter((each) => each !== false)
  if (steps.length === 0) return html``
  return empty(
    steps.length === 3 ? 'There is nothing here yet' : 'What to do next',
    html`<ol>${steps}</ol>`,
  )
}

/** A step of the list: `step(title, commands, path, hint)`. */
function step(...[title, commands, path, hint]: readonly [string, string, string, Html?]): Html {
  return html`<li><a href="${CONSOLE}${path}">${title}</a><pre>${commands}</pre>${hint}</li>`
}

function keyHint(): Html {
  return html`<p>The key for <code>API_DISCOVERY_KEY</code> is under <a href="${CONSOLE}/account">Account</a>: show the first one, or make one with the scope <code>ingest</code>.</p>`
}
