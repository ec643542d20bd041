import process from 'node:process'
import { type Account, type Gauge, type ListedJob, VERSION } from '../../../core/index.ts'
import { type Html, html } from '../../../core/shared/html.ts'
import { CONSOLE, type PageAnswer, type ViewedRequest } from '../page.ts'
import { pager, readPage } from '../parts/pager.ts'
import { table } from '../parts/table.ts'
import { badge, count, facts, note, time } from '../parts/text.ts'
import { ageWords } from './freshness.ts'

const PAGE_SIZE = 25

/** The service as its operators see it: storage, versions, figures and jobs of all accounts. */
export async function answerStatus(request: ViewedRequest): Promise<PageAnswer> {
  const { app, query } = request
  const page = readPage(query)
  // As its handler writes it.
  const readiness = JSON.parse(new TextDecoder().decode(await request.call('getReadiness', {})))
  const [gauges, accounts, jobs] = await Promise.all([
    app.readGauges(),
    app.accounts.listAccounts(),
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
${jobTable(jobs.items, { own: request.viewer.caller.account, accounts })}
${pager({ path: `${CONSOLE}/status`, query: new URLSearchParams(), page, pageSize: PAGE_SIZE, total: jobs.total })}`
  return { kind: 'page', title: 'State of the service', body }
}

function runtime(): string {
  const { bun, deno, node } = process.versions
  if (bun) return `Bun ${bun}`
  return deno ? `Deno ${deno}` : `Node ${node}`
}

interface Figure {
  readonly name: string
  readonly help: string
  readonly labels: string
  readonly value: number
}

function gaugeTable(gauges: readonly Gauge[]): Html {
  const rows = gauges.flatMap(({ name, help, samples }) =>
    samples.map(({ labels, value }) => {
      return { name, help, labels: Object.values(labels).join(', '), value }
    }),
  )
  return table({
    caption: 'GET /metrics returns these figures too',
    columns: [
      {
        title: 'Figure',
        isHead: true,
        cell: ({ name, help }: Figure) =>
          html`${toTitle(name)} <span class="soft">${toHelp(help)}</span>`,
      },
      { title: 'Of', cell: ({ labels }) => labels },
      {
        title: 'Value',
        isNumber: true,
        sortValue: ({ value }) => value,
        cell: ({ name, value }) => formatValue(name, value),
      },
    ],
    rows,
  })
}

const UNIT = /_(?:time_seconds|age_seconds|seconds|bytes)(?:_total)?$/

/** `Process cpu` of `process_cpu_seconds_total`: the value carries the unit. */
function toTitle(name: string): string {
  const words = name.replace(UNIT, '').replaceAll('_', ' ')
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}

/** Without the unit, for the same reason. */
function toHelp(help: string): string {
  return help.replace(/\.$/, '').replace(/^Seconds since/, 'Time since')
}

/** Formats a figure by the unit in its name: an instant, an age, seconds, megabytes, or a count. */
function formatValue(name: string, value: number): Html | string {
  if (name.endsWith('_time_seconds')) return time(value * 1000)
  if (name.endsWith('_age_seconds')) return ageWords(value)
  if (/_seconds(?:_total)?$/.test(name)) return `${value.toFixed(value < 10 ? 3 : 0)} s`
  if (name.endsWith('_bytes')) return `${count(Math.round(value / 1_000_000))} MB`
  return count(value)
}

function jobTable(
  jobs: readonly ListedJob[],
  { own, accounts }: { readonly own: Account; readonly accounts: readonly Account[] },
): Html {
  if (jobs.length === 0) return html`<p>There were no jobs yet.</p>`
  const names = new Map([own, ...accounts].map(({ id, name }) => [id, name]))
  return table({
    caption: 'Newest first; times in UTC. Why those of other accounts failed is theirs alone',
    columns: [
      { title: 'Job', isHead: true, cell: ({ id, kind }: ListedJob) => `${id} ${kind}` },
      { title: 'State', cell: ({ state }) => badge(state, TONES[state]) },
      {
        title: 'Account',
        cell: ({ accountId }) =>
          names.get(accountId) ?? html`<span class="mono">${accountId}</span>`,
      },
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
