import type { Command } from 'commander'
import { formatTable, type Io } from '../io.ts'
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
export function addCallHistoryCommand(gateway: Command, io: Io): void {
  addAccountOption(addPageOptions(gateway.command('history')))
    .description("List an account's calls, newest first")
    .addHelpText(
      'after',
      '\nExamples:\n  api-discovery gateway history --account ci --size 50\n  api-discovery gateway history --json',
    )
    .action(async (_, command: Command) => {
      const options = command.optsWithGlobals<HistoryOptions>()
      await withAccount(io, options, async ({ app, caller }) => {
        const found = await app.call('listCalls', toPageInput(options), caller)
        if (options.json) return io.result(JSON.stringify(found))
        if (found.num_results === 0) return io.note('No calls in this account yet.')
        io.result(
          formatTable(
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
        printPageNumber(io, found, 'calls')
      })
    })
}

/** Adds `gateway recordings list|show|publish|unpublish|remove`. */
export function addRecordingCommands(gateway: Command, io: Io): void {
  const recordings = gateway
    .command('recordings')
    .description('List, show, publish and remove responses recorded with --record')
    .addHelpText(
      'after',
      '\nExamples:\n  api-discovery gateway aB3dE5f city=Tallinn --account ci --record\n  api-discovery gateway recordings list --account ci',
    )

  addPageOptions(recordings.command('list'))
    .requiredOption('--account <name>', 'account name or ID')
    .description('List recorded responses, newest first')
    .addHelpText(
      'after',
      '\nExamples:\n  api-discovery gateway recordings list --account ci\n  api-discovery gateway recordings list --account ci --size 100 --page 2',
    )
    .action(async (_, command: Command) => {
      const options = command.optsWithGlobals<AccountOptions & PageOptions>()
      await withAccount(io, options, async ({ app, caller }) => {
        const found = await app.call('listRecordings', toPageInput(options), caller)
        if (options.json) return io.result(JSON.stringify(found))
        if (found.num_results === 0) {
          return io.note(
            'No recordings in this account yet. Make one: api-discovery gateway ENDPOINT_ID --record',
          )
        }
        io.result(
          formatTable(
            ['ID', 'ENDPOINT', 'RECORDED', 'STATUS', 'TYPE', 'TRUNCATED'],
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
        printPageNumber(io, found, 'recordings')
      })
    })

  addRecordingCommand(recordings, io, {
    name: 'show',
    description: 'Print a recorded response as JSON, with secrets redacted',
    act: ({ app, caller }, id) => app.call('getRecording', { recording_id: id }, caller),
  })
  addRecordingCommand(recordings, io, {
    name: 'publish',
    description: "Publish a recorded response as its endpoint's example; visible to all accounts",
    act: ({ app, caller }, id) =>
      app.call('publishRecording', { body: { recording_id: id } }, caller),
  })
  addRecordingCommand(recordings, io, {
    name: 'unpublish',
    argument: ['<endpoint-id>', 'endpoint ID'],
    description: "Unpublish an endpoint's example response",
    act: ({ app, caller }, id) => app.call('unpublishRecording', { endpoint_id: id }, caller),
  })
  addRecordingCommand(recordings, io, {
    name: 'remove',
    description: 'Delete a recorded response permanently',
    act: ({ app, caller }, id) => app.call('removeRecording', { recording_id: id }, caller),
  })
}

function addRecordingCommand(
  recordings: Command,
  io: Io,
  definition: {
    readonly name: string
    readonly argument?: readonly [name: string, description: string]
    readonly description: string
    readonly act: (service: ServiceOfAccount, id: string) => Promise<unknown>
  },
): void {
  const {
    name,
    argument = ['<recording-id>', 'recording ID, as shown by "gateway recordings list"'],
  } = definition
  recordings
    .command(name)
    .argument(...argument)
    .description(definition.description)
    .requiredOption('--account <name>', 'account name or ID')
    .addHelpText(
      'after',
      `\nExamples:\n  api-discovery gateway recordings ${name} … --account ci\n  api-discovery gateway recordings ${name} … --account ci --json`,
    )
    .action(async (id: string, _, command: Command) => {
      const options = command.optsWithGlobals<AccountOptions>()
      await withAccount(io, options, async (service) => {
        const answer = await definition.act(service, id)
        if (answer !== undefined) io.result(JSON.stringify(answer, null, options.json ? 0 : 2))
        else if (options.json) io.result(JSON.stringify({ id, done: name }))
      })
    })
}

function addPageOptions(command: Command): Command {
  return command
    .option('--size <n>', 'entries per page, 1 to 100', '20')
    .option('--page <n>', 'page number, starting at 1', '1')
}

/** Passes strings on: `app.call` parses them as query parameters. */
function toPageInput({ size, page }: PageOptions) {
  return { size: size as unknown as number, page: page as unknown as number }
}

function printPageNumber(
  io: Io,
  found: {
    readonly num_pages: number
    readonly current_page: number
    readonly num_results: number
  },
  noun: string,
): void {
  if (found.num_pages < 2) return
  io.note(`Page ${found.current_page} of ${found.num_pages}, ${found.num_results} ${noun}.`)
}
