import type { Caller } from '../../../core/index.ts'
import type { ArgumentRow } from '../command-values.ts'
import { type CommandDefinition, defineCommand, defineServiceCommand } from '../define-command.ts'
import { describePage, PAGE_OPTIONS, toPageInput } from '../pages.ts'
import type { OpenService } from '../service.ts'

/** `gateway history`. */
export const historyCommand = defineServiceCommand({
  name: 'history',
  description: "List an account's calls, newest first",
  account: 'operator',
  options: PAGE_OPTIONS,
  examples: ['gateway history --account ci --size 50', 'gateway history --json'],
  async run({ app, caller, options }) {
    const found = await app.call('listCalls', toPageInput(options), caller)
    return {
      json: found,
      table: {
        headings: [
          ...['TIME', 'CALLER', 'ENDPOINT', 'METHOD', 'ORIGIN'],
          ...['STATUS', 'FAILURE', 'BYTES', 'MS'],
        ],
        rows: found.calls.map((call) => [
          call.start_time,
          `${call.key_id || call.caller}${call.client === '' ? '' : ` (${call.client})`}`,
          call.endpoint_id,
          call.method,
          call.origin || '-',
          call.status || '-',
          call.failure || '-',
          call.bytes,
          call.milliseconds,
        ]),
        empty: found.num_results === 0 ? 'No calls in this account yet.' : undefined,
      },
      note: describePage(found, 'calls'),
    }
  },
})

const RECORDING_ID = [
  '<recording-id>',
  'recording ID, as shown by "gateway recordings list"',
] as const

/** `gateway recordings list|show|publish|unpublish|remove`. */
export const recordingCommands = defineCommand({
  name: 'recordings',
  description: 'List, show, publish and remove responses recorded with --record',
  examples: [
    'gateway aB3dE5f city=Tallinn --account ci --record',
    'gateway recordings list --account ci',
  ],
  commands: [
    defineServiceCommand({
      name: 'list',
      description: 'List recorded responses, newest first',
      account: 'required',
      options: PAGE_OPTIONS,
      examples: [
        'gateway recordings list --account ci',
        'gateway recordings list --account ci --size 100 --page 2',
      ],
      async run({ app, caller, options }) {
        const found = await app.call('listRecordings', toPageInput(options), caller)
        return {
          json: found,
          table: {
            headings: ['ID', 'ENDPOINT', 'RECORDED', 'STATUS', 'TYPE', 'TRUNCATED'],
            rows: found.recordings.map((each) => [
              each.recording_id,
              each.endpoint_id,
              each.recorded_at,
              each.status,
              each.media_type || '-',
              each.is_truncated ? 'yes' : 'no',
            ]),
            empty:
              found.num_results === 0
                ? 'No recordings in this account yet. Make one: api-discovery gateway ENDPOINT_ID --record'
                : undefined,
          },
          note: describePage(found, 'recordings'),
        }
      },
    }),
    defineRecordingCommand({
      name: 'show',
      description: 'Print a recorded response as JSON, with secrets redacted',
      act: ({ app, caller }, id) => app.call('getRecording', { recording_id: id }, caller),
    }),
    defineRecordingCommand({
      name: 'publish',
      description: "Publish a recorded response as its endpoint's example; visible to all accounts",
      act: ({ app, caller }, id) =>
        app.call('publishRecording', { body: { recording_id: id } }, caller),
    }),
    defineRecordingCommand({
      name: 'unpublish',
      argument: ['<endpoint-id>', 'endpoint ID'],
      description: "Unpublish an endpoint's example response",
      act: ({ app, caller }, id) => app.call('unpublishRecording', { endpoint_id: id }, caller),
    }),
    defineRecordingCommand({
      name: 'remove',
      description: 'Delete a recorded response permanently',
      act: ({ app, caller }, id) => app.call('removeRecording', { recording_id: id }, caller),
    }),
  ],
})

/** Defines a command for one recording that prints the answer of an operation, if it has one. */
function defineRecordingCommand({
  name,
  description,
  argument = RECORDING_ID,
  act,
}: {
  readonly name: string
  readonly description: string
  readonly argument?: ArgumentRow
  readonly act: (service: OpenService & { readonly caller: Caller }, id: string) => Promise<unknown>
}): CommandDefinition {
  return defineServiceCommand({
    name,
    description,
    arguments: [argument],
    account: 'required',
    examples: [
      `gateway recordings ${name} … --account ci`,
      `gateway recordings ${name} … --account ci --json`,
    ],
    async run(context) {
      const [id = ''] = context.words as readonly string[]
      const answer = await act(context, id)
      if (answer === undefined) return { json: { id, done: name } }
      return { json: answer, text: JSON.stringify(answer, null, 2) }
    },
  })
}
