import { type Command, InvalidArgumentError, Option } from 'commander'
import { JOB_STATES, type JobState, type ListedJob } from '../../../core/index.ts'
import { addEgressOptions, type EgressOptions } from '../egress-options.ts'
import { formatTable, type Io, toPrintable } from '../io.ts'
import {
  createJobCounts,
  describeSettledJob,
  describeWaitingJob,
  summarizeJobCounts,
  toSettledJobJson,
} from '../job-text.ts'
import { createLogger } from '../logger.ts'
import { integerParser } from '../numbers.ts'
import { type GlobalOptions, type OpenService, withService } from '../service.ts'
import { addTestOptions, findTestConsent } from '../test-options.ts'
import { withStop } from '../with-stop.ts'

interface ListOptions extends GlobalOptions {
  readonly account?: string
  readonly kind?: string
  readonly state?: JobState
  readonly size: number
}

interface RunOptions extends GlobalOptions, EgressOptions {
  readonly testHost?: readonly string[]
  readonly testContact?: string
  readonly untilIdle?: boolean
  readonly concurrency?: number
}

/** Adds `jobs list|cancel|run`. */
export function addJobCommands(program: Command, io: Io): void {
  const jobs = program
    .command('jobs')
    .description('List, cancel and run background jobs')
    .addHelpText(
      'after',
      '\nExamples:\n  api-discovery jobs list --state running\n  api-discovery jobs run --until-idle',
    )
  addListJobsCommand(jobs, io)
  addCancelJobCommand(jobs, io)
  addRunJobsCommand(jobs, io)
}

function addListJobsCommand(jobs: Command, io: Io): void {
  jobs
    .command('list')
    .description('List jobs, newest first')
    .option('--account <name>', 'account name or ID (default: all accounts)')
    .option('--kind <kind>', 'only jobs of this kind, such as rate-limit-test')
    .addOption(new Option('--state <state>', 'only jobs in this state').choices(JOB_STATES))
    .option('--size <n>', 'maximum number of jobs, 1 to 100', integerParser(1, 100), 20)
    .addHelpText(
      'after',
      '\nExamples:\n  api-discovery jobs list --state failed --size 100\n  api-discovery jobs list --account ci --kind rate-limit-test --json',
    )
    .action(async (_, command: Command) => {
      const options = command.optsWithGlobals<ListOptions>()
      await withService(io, { ...options, mustExist: true }, (service) =>
        printJobs(io, service, options),
      )
    })
}

async function printJobs(io: Io, { app }: OpenService, options: ListOptions): Promise<void> {
  const { account: name, kind, state, size } = options
  const account = name === undefined ? undefined : await app.accounts.getAccount(name)
  const { items, total } = await app.jobs.list(account, { kind, state, size, page: 1 })
  if (options.json) {
    return io.result(JSON.stringify({ num_results: total, jobs: items.map(toJobJson) }))
  }
  if (items.length === 0) return io.note('No jobs found.')
  const names = new Map((await app.accounts.listAccounts()).map((each) => [each.id, each.name]))
  io.result(
    formatTable(
      ['ID', 'KIND', 'SUBJECT', 'ACCOUNT', 'STATE', 'ATTEMPTS', 'QUEUED', 'ENDED', 'FAILURE'],
      items.map((job) => [
        job.id,
        toPrintable(job.kind),
        toPrintable(job.subject) || '-',
        toPrintable(names.get(job.accountId) ?? job.accountId),
        describeJobState(job),
        `${job.attempts} of ${job.maxAttempts}`,
        formatTimestamp(job.createdAt) ?? '-',
        formatTimestamp(job.endedAt) ?? '-',
        toPrintable(job.failure) || '-',
      ]),
    ),
  )
  if (total > items.length) io.note(`${items.length} of ${total} jobs shown: use --size for more.`)
}

function addCancelJobCommand(jobs: Command, io: Io): void {
  jobs
    .command('cancel')
    .argument('<id>', 'job ID, as shown by "jobs list"', parseJobId)
    .description('Cancel a job; a running job ends within about a second')
    .addHelpText(
      'after',
      '\nExamples:\n  api-discovery jobs cancel 42\n  api-discovery jobs cancel 42 --json',
    )
    .action(async (id: number, _, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      await withService(io, { ...options, mustExist: true }, async ({ app }) => {
        const job = await app.jobs.cancel(undefined, id)
        if (options.json) return io.result(JSON.stringify(toJobJson(job)))
        io.note(
          job.state === 'running'
            ? `Job ${id} is running and will be stopped by its worker.`
            : `Job ${id} is ${job.state}.`,
        )
      })
    })
}

function addRunJobsCommand(jobs: Command, io: Io): void {
  addTestOptions(addEgressOptions(jobs.command('run')))
    .description(
      'Run jobs of all accounts until stopped by a signal; for use with "serve --no-jobs" or cron',
    )
    .option('--until-idle', 'exit when no job is due')
    .option(
      '--concurrency <n>',
      'maximum number of concurrent jobs (default: 4)',
      integerParser(1, 100),
    )
    .addHelpText(
      'after',
      `
Prints one line for each job and a summary to standard error; with --json, to standard output.
A rate-limit test of a host that the operator allows needs a worker started with that --test-host;
the test fails if no such worker runs it within an hour.

Examples:
  api-discovery jobs run --concurrency 2
  * * * * * api-discovery jobs run --until-idle`,
    )
    .action(async (_, command: Command) => {
      const options = command.optsWithGlobals<RunOptions>()
      const service = {
        logger: createLogger({ level: 'warn' }),
        rateLimitTests: findTestConsent(io, {
          hosts: options.testHost,
          contact: options.testContact,
        }),
      }
      await withService(io, { ...options, mustExist: true, service }, ({ app }) =>
        withStop({ io, message: 'Stopped: running jobs were returned to the queue.' }, (signal) =>
          runAndReportJobs(io, app, { ...options, signal }),
        ),
      )
    })
}

/** Runs jobs; prints a line for each job that ended or was released, then a summary. */
async function runAndReportJobs(
  io: Io,
  app: OpenService['app'],
  options: RunOptions & { readonly signal: AbortSignal },
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
