import { InvalidArgumentError } from 'commander'
import { JOB_STATES, type ListedJob, type SettledJob } from '../../../core/jobs/index.ts'
import { defineCommand, defineServiceCommand } from '../define-command.ts'
import { EGRESS_OPTIONS } from '../egress-options.ts'
import { type Io, toPrintable } from '../io.ts'
import { createLogger } from '../logger.ts'
import { integerParser } from '../numbers.ts'
import type { OpenService } from '../service.ts'
import { findTestConsent, TEST_OPTIONS } from '../test-options.ts'
import { withStop } from '../with-stop.ts'

/** Number of jobs by outcome. */
type JobCounts = Record<SettledJob['outcome'], number>

const OUTCOMES: Readonly<Record<SettledJob['outcome'], string>> = {
  done: 'done',
  failed: 'failed',
  aborted: 'aborted',
  released: 'returned to the queue',
  lost: 'lost to another worker',
}

/** `jobs list|cancel|run`. */
export const jobCommands = defineCommand({
  name: 'jobs',
  description: 'List, cancel and run background jobs',
  examples: ['jobs list --state running', 'jobs run --until-idle'],
  commands: [
    defineServiceCommand({
      name: 'list',
      description: 'List jobs, newest first',
      account: 'all',
      options: [
        ['--kind <kind>', 'only jobs of this kind, such as rate-limit-test'],
        ['--state <state>', 'only jobs in this state', { choices: JOB_STATES }],
        [
          '--size <n>',
          'maximum number of jobs, 1 to 100',
          { parse: integerParser(1, 100), default: 20 },
        ],
      ],
      examples: [
        'jobs list --state failed --size 100',
        'jobs list --account ci --kind rate-limit-test --json',
      ],
      async run({ app, account, options: { json: isJson, kind, state, size } }) {
        const { items, total } = await app.jobs.list(account, { kind, state, size, page: 1 })
        const accounts = isJson ? [] : await app.accounts.listAccounts()
        const names = new Map(accounts.map((each) => [each.id, each.name]))
        return {
          json: { num_results: total, jobs: items.map(toJobJson) },
          table: {
            headings: [
              ...['ID', 'KIND', 'SUBJECT', 'ACCOUNT', 'STATE'],
              ...['ATTEMPTS', 'QUEUED', 'ENDED', 'FAILURE'],
            ],
            rows: items.map((job) => [
              job.id,
              job.kind,
              job.subject || '-',
              names.get(job.accountId) ?? job.accountId,
              describeJobState(job),
              `${job.attempts} of ${job.maxAttempts}`,
              formatTimestamp(job.createdAt) ?? '-',
              formatTimestamp(job.endedAt) ?? '-',
              job.failure || '-',
            ]),
            empty: 'No jobs found.',
          },
          note:
            total > items.length
              ? `${items.length} of ${total} jobs shown: use --size for more.`
              : undefined,
        }
      },
    }),
    defineServiceCommand({
      name: 'cancel',
      description: 'Cancel a job; a running job ends within about a second',
      arguments: [['<id>', 'job ID, as shown by "jobs list"', { parse: parseJobId }]],
      examples: ['jobs cancel 42', 'jobs cancel 42 --json'],
      async run({ app, words: [id] }) {
        const job = await app.jobs.cancel(undefined, id)
        return {
          json: toJobJson(job),
          note:
            job.state === 'running'
              ? `Job ${id} is running and will be stopped by its worker.`
              : `Job ${id} is ${job.state}.`,
        }
      },
    }),
    defineServiceCommand({
      name: 'run',
      description:
        'Run jobs of all accounts until stopped by a signal; for use with "serve --no-jobs" or cron',
      options: [
        ...EGRESS_OPTIONS,
        ...TEST_OPTIONS,
        ['--until-idle', 'exit when no job is due'],
        [
          '--concurrency <n>',
          'maximum number of concurrent jobs (default: 4)',
          { parse: integerParser(1, 100) },
        ],
      ],
      details: `
Prints one line for each job and a summary to standard error; with --json, to standard output.
A rate-limit test of a host that the operator allows needs a worker started with that --test-host;
the test fails if no such worker runs it within an hour.`,
      examples: ['jobs run --concurrency 2', '* * * * * api-discovery jobs run --until-idle'],
      serviceOptions: ({ io, options: { testHost: hosts, testContact: contact } }) => ({
        logger: createLogger({ level: 'warn' }),
        rateLimitTests: findTestConsent(io, { hosts, contact }),
      }),
      run: ({ io, app, options }) =>
        withStop({ io, message: 'Stopped: running jobs were returned to the queue.' }, (signal) =>
          runAndReportJobs(io, app, { ...options, signal }),
        ),
    }),
  ],
})

/** Runs jobs; prints a line for each job that ended or was released, then a summary. */
async function runAndReportJobs(
  io: Io,
  app: OpenService['app'],
  options: {
    readonly json?: boolean | undefined
    readonly untilIdle?: boolean | undefined
    readonly concurrency?: number | undefined
    readonly signal: AbortSignal
  },
): Promise<void> {
  const { json: isJson, untilIdle, concurrency, signal } = options
  const counts = createJobCounts()
  const until = untilIdle ? 'idle' : 'aborted'
  await app.runJobs({
    ...{ signal, until, concurrency },
    onSettled(left) {
      counts[left.outcome] += 1
      if (isJson) io.result(JSON.stringify(toSettledJobJson(left)))
      else io.note(toPrintable(describeSettledJob(left)))
    },
  })
  const waiting = signal.aborted ? [] : await listWaitingJobs(app)
  if (isJson) return io.result(JSON.stringify({ ...counts, waiting: waiting.length }))
  for (const job of waiting.slice(0, MAX_PRINTED_JOBS))
    io.note(toPrintable(describeWaitingJob(job)))
  if (waiting.length > MAX_PRINTED_JOBS)
    io.note(`${waiting.length - MAX_PRINTED_JOBS} more jobs need another worker.`)
  if (Object.values(counts).some((count) => count > 0)) io.note(summarizeJobCounts(counts))
  // Without a terminal, as in cron, an idle run prints nothing.
  else if (io.isInteractive && waiting.length === 0) io.note('No job was due.')
}

/** Lists due jobs with requirements that this process does not meet, oldest first. */
async function listWaitingJobs(app: OpenService['app']): Promise<readonly ListedJob[]> {
  const now = Date.now()
  // Keyed by ID: a job queued during the loop shifts others to the next page.
  const waiting = new Map<number, ListedJob>()
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const { items } = await app.jobs.list(undefined, { state: 'queued', size: PAGE_SIZE, page })
    for (const job of items) if (job.needs !== '' && job.dueAt <= now) waiting.set(job.id, job)
    if (items.length < PAGE_SIZE) break
  }
  return [...waiting.values()].toReversed()
}

const PAGE_SIZE = 100
/** Bounds the listing to the newest 10,000 queued jobs. */
const MAX_PAGES = 100
const MAX_PRINTED_JOBS = 100

function toJobJson(job: ListedJob) {
  return {
    id: job.id,
    number: job.number,
    kind: job.kind,
    subject: job.subject,
    account_id: job.accountId,
    state: job.state,
    is_cancelled: job.isCancelled,
    needs: job.needs,
    attempts: job.attempts,
    max_attempts: job.maxAttempts,
    created_at: formatTimestamp(job.createdAt),
    due_at: formatTimestamp(job.dueAt),
    started_at: formatTimestamp(job.startedAt),
    ended_at: formatTimestamp(job.endedAt),
    failure: job.failure,
  }
}

function describeJobState({ state, isCancelled }: ListedJob): string {
  return state === 'running' && isCancelled ? 'running, cancelled' : state
}

function formatTimestamp(ms: number | undefined): string | null {
  return ms === undefined ? null : new Date(ms).toISOString()
}

function parseJobId(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It must be a job ID: a positive integer.')
}

/** Creates counts of 0. */
function createJobCounts(): JobCounts {
  return { done: 0, failed: 0, aborted: 0, released: 0, lost: 0 }
}

/**
 * Describes the outcome of a job: `Job 12, rate-limit-test of aB3dE5f: done in 12.1 s`. Omits the
 * duration of a job that was not started.
 */
function describeSettledJob(left: SettledJob): string {
  const { outcome, reason, durationMs } = left
  const when =
    durationMs === undefined
      ? ''
      : ` ${outcome === 'done' ? 'in' : 'after'} ${(durationMs / 1000).toFixed(1)} s`
  const because = reason === '' || outcome === 'done' ? '' : `: ${reason}`
  return `${formatJobName(left)}: ${OUTCOMES[outcome]}${when}${because}`
}

/** Describes a due job whose requirements this process does not meet. */
function describeWaitingJob(job: ListedJob): string {
  return `${formatJobName(job)}: needs a worker with ${job.needs}`
}

/** Summarises jobs by state: `3 jobs: 2 done, 1 failed.` */
function summarizeJobCounts(counts: JobCounts): string {
  const known = Object.keys(OUTCOMES) as readonly SettledJob['outcome'][]
  const some = known.filter((as) => counts[as] > 0)
  const sum = some.reduce((total, as) => total + counts[as], 0)
  const parts = some.map((as) => `${counts[as]} ${OUTCOMES[as]}`)
  return `${sum} ${sum === 1 ? 'job' : 'jobs'}: ${parts.join(', ')}.`
}

/** Converts the outcome of a job to JSON. */
function toSettledJobJson(left: SettledJob) {
  const { id, number, kind, subject, accountId, attempts, outcome, reason, durationMs } = left
  const about = { id, number, kind, subject, account_id: accountId, attempts }
  return { ...about, outcome, failure: reason, ms: durationMs ?? null }
}

function formatJobName({ id, kind, subject }: Pick<ListedJob, 'id' | 'kind' | 'subject'>): string {
  return `Job ${id}, ${kind}${subject === '' ? '' : ` of ${subject}`}`
}
