import process from 'node:process'
import type { CallOutput, Contract } from '../../../core/contract.ts'
import { type Account, type Gauge, VERSION } from '../../../core/index.ts'
import type { ListedJob } from '../../../core/jobs/index.ts'
import { type Html, html } from '../../../core/shared/html.ts'
import { CONSOLE, type PageResult, type ViewedRequest } from '../page.ts'
import { pager, parsePageNumber } from '../parts/pager.ts'
import { table } from '../parts/table.ts'
import { badge, factList, formatNumber, note, timeElement } from '../parts/text.ts'
import { formatAge } from './freshness.ts'

const PAGE_SIZE = 25
/** Owner of jobs that belong to no account, such as scheduled syncs. */
const OPERATOR_ID = 'operator'

/**
 * Renders the service status for operators: storage, versions, metrics and jobs of all accounts.
 */
export async function renderStatus(request: ViewedRequest): Promise<PageResult> {
  const { app, query } = request
  const page = parsePageNumber(query)
  // JSON that the handler wrote.
  const readiness = JSON.parse(new TextDecoder().decode(await request.call('getReadiness', {})))
  const [gauges, accounts, jobs, data] = await Promise.all([
    app.readGauges(),
    app.accounts.listAccounts(),
    app.jobs.list(undefined, { page, size: PAGE_SIZE }),
    request.call('getVulnerabilityStatus', {}),
  ])
  const body = html`<p class="crumbs"><a href="${CONSOLE}/">Overview</a></p>
<h1>Service status</h1>
${readiness.status === 'ready' ? note('The storage is available.', 'good') : note('The storage is unavailable.', 'bad')}
${factList([
  ['api-discovery', VERSION],
  ['Runtime', describeRuntime()],
  ['Platform', `${process.platform} ${process.arch}`],
])}
${sourceSection(data, request.command)}
<h2>Metrics of all accounts</h2>
${gaugeTable(gauges)}
<h2>Jobs of all accounts</h2>
${jobTable(jobs.items, { own: request.viewer.caller.account, accounts })}
${pager({ path: `${CONSOLE}/status`, query: new URLSearchParams(), page, pageSize: PAGE_SIZE, total: jobs.total })}`
  return { kind: 'page', title: 'Service status', body }
}

function describeRuntime(): string {
  const { bun, deno, node } = process.versions
  if (bun) return `Bun ${bun}`
  return deno ? `Deno ${deno}` : `Node ${node}`
}

interface MetricRow {
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
    caption: 'GET /metrics returns the same metrics',
    columns: [
      {
        title: 'Metric',
        isHead: true,
        cell: ({ name, help }: MetricRow) =>
          html`${toMetricTitle(name)} <span class="soft">${toMetricHelp(help)}</span>`,
      },
      { title: 'Labels', cell: ({ labels }) => labels },
      {
        title: 'Value',
        isNumber: true,
        sortValue: ({ value }) => value,
        cell: ({ name, value }) => formatMetricValue(name, value),
      },
    ],
    rows,
  })
}

const UNIT = /_(?:timestamp_seconds|time_seconds|age_seconds|seconds|bytes)(?:_total)?$/

/**
 * Turns a metric's name into a title, without the unit, which the value shows:
 * `process_cpu_seconds_total` becomes `Process cpu`.
 */
function toMetricTitle(name: string): string {
  const words = name.replace(UNIT, '').replaceAll('_', ' ')
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}

/** Removes the unit from a metric's help text, because the value shows it. */
function toMetricHelp(help: string): string {
  return help.replace(/\.$/, '').replace(/^Seconds since/, 'Time since')
}

/**
 * Formats a value by the unit in its metric's name: an instant, an age, seconds, megabytes or a
 * count.
 */
function formatMetricValue(name: string, value: number): Html | string {
  if (/_time(?:stamp)?_seconds$/.test(name)) return timeElement(value * 1000)
  if (name.endsWith('_age_seconds')) return formatAge(value)
  if (/_seconds(?:_total)?$/.test(name)) return `${value.toFixed(value < 10 ? 3 : 0)} s`
  if (name.endsWith('_bytes')) return `${formatNumber(Math.round(value / 1_000_000))} MB`
  return formatNumber(value)
}

function jobTable(
  jobs: readonly ListedJob[],
  { own, accounts }: { readonly own: Account; readonly accounts: readonly Account[] },
): Html {
  if (jobs.length === 0) return html`<p>No jobs yet.</p>`
  const names = new Map([own, ...accounts].map(({ id, name }) => [id, name]))
  const shownIds = new Set([own.id, OPERATOR_ID])
  return table({
    caption:
      'Newest first; times in UTC. Reasons are shown for the operator’s jobs and your own account',
    columns: [
      { title: 'Job', isHead: true, cell: ({ id, kind }: ListedJob) => `${id} ${kind}` },
      { title: 'State', cell: ({ state }) => badge(state, JOB_STATE_TONES[state]) },
      {
        title: 'Account',
        cell: ({ accountId }) =>
          names.get(accountId) ?? html`<span class="mono">${accountId}</span>`,
      },
      { title: 'Created', isTight: true, cell: ({ createdAt }) => timeElement(createdAt) },
      {
        title: 'Ended',
        isTight: true,
        cell: ({ endedAt }) => (endedAt ? timeElement(endedAt) : ''),
      },
      {
        title: 'Reason',
        cell: ({ accountId, failure }) => (shownIds.has(accountId) ? failure : ''),
      },
    ],
    rows: jobs,
  })
}

const JOB_STATE_TONES = {
  queued: 'plain',
  running: 'plain',
  done: 'good',
  failed: 'bad',
  aborted: 'warn',
} as const

type Status = CallOutput<Contract['getVulnerabilityStatus']>
type Source = Status['sources'][number]

/** Shows the sources of the vulnerability data with the results of their scheduled syncs. */
function sourceSection({ sources, sync }: Pick<Status, 'sources' | 'sync'>, command: string): Html {
  return html`<h2 id="syncs">Vulnerability data</h2>
${
  sources.length === 0
    ? html`<p>Nothing has been loaded yet.</p>`
    : table({
        caption: 'Times in UTC',
        columns: [
          { title: 'Source', isHead: true, cell: ({ name }: Source) => name },
          { title: 'Loaded', isTight: true, cell: ({ loaded_at }) => timeOf(loaded_at) },
          {
            title: 'Newest data',
            isTight: true,
            cell: ({ data_at }) => data_at && timeOf(data_at),
          },
          {
            title: 'Last scheduled sync',
            isTight: true,
            cell: ({ attempted_at }) => timeOf(attempted_at),
          },
          { title: 'Result', cell: resultBadge },
        ],
        rows: sources,
      })
}
<p>${describeSyncs(sync, command)}</p>`
}

function describeSyncs(sync: Status['sync'], command: string): Html {
  if (!sync) {
    return html`No syncs are scheduled. Start the server with <code>${command} serve --sync daily</code>.`
  }
  if (sync.running) return html`A sync is running.`
  return sync.next_at === null
    ? html`This server has no schedule.`
    : html`The next sync starts at ${timeOf(sync.next_at)}.`
}

function resultBadge({ attempted_at: at, error }: Source): Html | string {
  if (error) return html`${badge('Failed', 'bad')} ${error}`
  return at ? badge('Done', 'good') : ''
}

function timeOf(text: string | null | undefined): Html {
  return timeElement(text ? Date.parse(text) : undefined)
}
