import type { Command } from 'commander'
import { type Io, toTable } from '../io.ts'
import {
  addAccountOption,
  type AccountOptions as CallerOptions,
  type GlobalOptions,
  type ServiceOfAccount,
  withAccount,
} from '../service.ts'

interface AccountOptions extends GlobalOptions {
  readonly account: string
}

interface PageOptions {
  readonly size: string
  readonly page: string
}

interface HistoryOptions extends CallerOptions, PageOptions {}

/** Adds `gateway history`. */
export function addHistoryCommand(gateway: Command, io: Io): void {
  addAccountOption(addPageOptions(gateway.command('history')))
    .description("List an account's calls, newest first.")
    .addHelpText('after', '\nExample:\n  api-discovery gateway history --account ci --size 50')
    .action(async (_, command: Command) => {
      const options = command.optsWithGlobals<HistoryOptions>()
      await withAccount(io, options, async ({ app, caller }) => {
        const found = await app.call('listCalls', toPage(options), caller)
        if (options.json) return io.result(JSON.stringify(found))
        if (found.num_results === 0) return io.note('The account has made no calls yet.')
        io.result(
          toTable(
            ['TIME', 'CALLER', 'ENDPOINT', 'METHOD', 'ORIGIN', 'STATUS', 'FAILURE', 'BYTES', 'MS'],
            found.calls.map((call) => [
              call.start_time,
              call.key_id || call.caller,
              call.endpoint_id,
              call.method,
              call.origin || '-',
              call.status || '-',
              call.failure || '-',
              call.bytes,
              call.milliseconds,
            ]),
          ),
        )
        notePages(io, found, 'calls')
      })
    })
}

/** Adds `gateway recordings list|show|publish|unpublish|remove`. */
export function addRecordingCommands(gateway: Command, io: Io): void {
  const recordings = gateway
    .command('recordings')
    .description('Answers that were kept with --record: list, show, publish and remove them.')
    .addHelpText(
      'after',
      '\nExample:\n  api-discovery gateway aB3dE5f city=Tallinn --account ci --record\n  api-discovery gateway recordings list --account ci',
    )

  addPageOptions(recordings.command('list'))
    .requiredOption('--account <name>', 'name or id of the account')
    .description('List recorded answers, newest first.')
    .addHelpText('after', '\nExample:\n  api-discovery gateway recordings list --account ci')
    .action(async (_, command: Command) => {
      const options = command.optsWithGlobals<AccountOptions & PageOptions>()
      await withAccount(io, options, async ({ app, caller }) => {
        const found = await app.call('listRecordings', toPage(options), caller)
        if (options.json) return io.result(JSON.stringify(found))
        if (found.num_results === 0) {
          return io.note('Nothing is recorded yet: api-discovery gateway ENDPOINT_ID --record')
        }
        io.result(
          toTable(
            ['ID', 'ENDPOINT', 'RECORDED', 'STATUS', 'TYPE', 'CUT'],
            found.recordings.map((each) => [
              each.recording_id,
              each.endpoint_id,
              each.recorded_at,
              each.status,
              each.media_type || '-',
              each.is_truncated ? 'yes' : 'no',
            ]),
          ),
        )
        notePages(io, found, 'recordings')
      })
    })

  addRecordingCommand(recordings, io, {
    name: 'show',
    description: 'Print a recorded answer, redacted, as JSON.',
    act: ({ app, caller }, id) => app.call('getRecording', { recording_id: id }, caller),
  })
  addRecordingCommand(recordings, io, {
    name: 'publish',
    description: "Make a recorded answer its endpoint's example response, for everybody to read.",
    act: ({ app, caller }, id) =>
      app.call('publishRecording', { body: { recording_id: id } }, caller),
  })
  addRecordingCommand(recordings, io, {
    name: 'unpublish',
    argument: ['<endpoint-id>', 'id of the endpoint'],
    description: "Take an endpoint's published example response back.",
    act: ({ app, caller }, id) => app.call('unpublishRecording', { endpoint_id: id }, caller),
  })
  addRecordingCommand(recordings, io, {
    name: 'remove',
    description: 'Remove a recorded answer for good.',
    act: ({ app, caller }, id) => app.call('removeRecording', { recording_id: id }, caller),
  })
}

function addRecordingCommand(
  recordings: Command,
  io: Io,
  given: {
    readonly name: string
    readonly argument?: readonly [name: string, description: string]
    readonly description: string
    readonly act: (service: ServiceOfAccount, id: string) => Promise<unknown>
  },
): void {
  const { name, argument = ['<recording-id>', 'id of the recording, as "list" shows it'] } = given
  recordings
    .command(name)
    .argument(...argument)
    .description(given.description)
    .requiredOption('--account <name>', 'name or id of the account')
    .addHelpText('after', `\nExample:\n  api-discovery gateway recordings ${name} … --account ci`)
    .action(async (id: string, _, command: Command) => {
      const options = command.optsWithGlobals<AccountOptions>()
      await withAccount(io, options, async (service) => {
        const answer = await given.act(service, id)
        if (answer !== undefined) io.result(JSON.stringify(answer, null, options.json ? 0 : 2))
        else if (options.json) io.result(JSON.stringify({ id, done: name }))
      })
    })
}

function addPageOptions(command: Command): Command {
  return command
    .option('--size <n>', 'entries at the most, 1 to 100', '20')
    .option('--page <n>', 'page, from 1', '1')
}

/** `app.call` reads texts by the rules of the query. */
function toPage({ size, page }: PageOptions) {
  return { size: size as unknown as number, page: page as unknown as number }
}

function notePages(
  io: Io,
  found: {
    readonly num_pages: number
    readonly current_page: number
    readonly num_results: number
  },
  what: string,
): void {
  if (found.num_pages < 2) return
  io.note(`Page ${found.current_page} of ${found.num_pages}, ${found.num_results} ${what}.`)
}
