import process from 'node:process'
import { type Account, type Gauge, type ListedJob, VERSION } from '../../../core/index.ts'
import { type Html, html } from '../../../core/shared/html.ts'
import { CONSOLE, type PageAnswer, type ViewedRequest } from '../page.ts'
import { pager, readPage } from '../parts/pager.ts'
import { table } from '../parts/table.ts'
import { badge, count, facts, note, time } from '../parts/text.ts'

const PAGE_SIZE = 25

/** The service as its operators see it: storage, versions, figures and jobs of all accounts. */
export async function answerStatus(request: ViewedRequest): Promise<PageAnswer> {
  const { app, query } = request
  const page = readPage(query)
  // As its handler writes it.
  const readiness = JSON.parse(new TextDecoder().decode(await request.call('getReadiness', {})))
  const [gauges, jobs] = await Promise.all([
    app.readGauges(),
    app.jobs.list(undefined, { page, size: PAGE_SIZE }),
  ])
  const body = html`<p class="crumbs"><a href="${CONSOLE}/">Overview</a></p>
<h1>State of the service</h1>
${readiness.status === 'ready' ? note('The storage answers.', 'good') : note('The storage does not answer.', 'bad')}
${facts([
  ['api-discovery', VERSION],
  ['Runtime', runtime()],
  ['Platform', `${process.platform} ${process.arch}`],
])}
<h2>Figures of all accounts</h2>
${gaugeTable(gauges)}
<h2>Jobs of all accounts</h2>
${jobTable(jobs.items, request.viewer.caller.account)}
${pager({ path: `${CONSOLE}/status`, query: new URLSearchParams(), page, pageSize: PAGE_SIZE, total: jobs.total })}`
  return { kind: 'page', title: 'State of the service', body }
}

function runtime(): string {
  const { bun, deno, node } = process.versions
  if (bun) return `Bun ${bun}`
  return deno ? `Deno ${deno}` : `Node ${node}`
}

interface Figure {
  readonly help: string
  readonly labels: string
  readonly value: number
}

function gaugeTable(gauges: readonly Gauge[]): Html {
  const rows = gauges.flatMap(({ help, samples }) =>
    samples.map(({ labels, value }) => ({ help, labels: Object.values(labels).join(', '), value })),
  )
  return table({
    caption: 'As GET /metrics tells them too',
    columns: [
      { title: 'What', isHead: true, cell: ({ help }: Figure) => help.replace(/\.$/, '') },
      { title: 'Which', cell: ({ labels }) => labels },
      {
        title: 'Figure',
        isNumber: true,
        sortValue: ({ value }) => value,
        cell: ({ value }) => count(value),
      },
    ],
    rows,
  })
}

function jobTable(jobs: readonly ListedJob[], own: Account): Html {
  if (jobs.length === 0) return html`<p>There were no jobs yet.</p>`
  return table({
    caption: 'Newest first; times in UTC. Why those of other accounts failed is theirs alone',
    columns: [
      { title: 'Job', isHead: true, cell: ({ id, kind }: ListedJob) => `${id} ${kind}` },
      { title: 'State', cell: ({ state }) => badge(state, TONES[state]) },
      { title: 'Account', cell: ({ accountId }) => html`<span class="mono">${accountId}</span>` },
      { title: 'Made', isTight: true, cell: ({ createdAt }) => time(createdAt) },
      { title: 'Ended', isTight: true, cell: ({ endedAt }) => (endedAt ? time(endedAt) : '') },
      { title: 'Why', cell: ({ accountId, failure }) => (accountId === own.id ? failure : '') },
    ],
    rows: jobs,
  })
}

const TONES = {
  queued: 'plain',
  running: 'plain',
  done: 'good',
  failed: 'bad',
  aborted: 'warn',
} as const
