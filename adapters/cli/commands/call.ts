import { contract, type ForwardedResponse, type Operation } from '../../../core/contract.ts'
import { buildOpenApiDocument } from '../../../core/openapi.ts'
import { readBasePath } from '../base-path.ts'
import { ACCOUNT_OPTIONS, defineCommand } from '../define-command.ts'
import { CommandError, UsageError } from '../errors.ts'
import { readFileBytes } from '../files.ts'
import type { Io } from '../io.ts'
import { describeMissingValue, hasOptionForm } from '../missing-value.ts'
import { withAccount } from '../service.ts'
import { suggestName } from '../suggest-name.ts'

const OPERATIONS: Readonly<Record<string, Operation>> = contract

/** `call`. */
export const callCommand = defineCommand({
  name: 'call',
  description: 'Call an API operation in process and print the response as JSON',
  arguments: [['[operation]', 'operation name; lists all operations if omitted']],
  options: [ACCOUNT_OPTIONS.operator],
  acceptsOtherWords: true,
  details: 'Pass each parameter as an option of its name; --body takes JSON, --file a file name.',
  examples: [
    'call searchEndpoints --q "weather forecast" --size 3',
    `call createVendor --body '{"name":"Acme"}'`,
  ],
  async run({ io, words: [name], otherWords, options }) {
    if (name === undefined) return listOperations(io)
    const operation = Object.hasOwn(OPERATIONS, name) ? OPERATIONS[name] : undefined
    if (!operation) {
      throw new UsageError(
        `Operation "${name}" not found. List all operations: api-discovery call${suggestName(name, Object.keys(OPERATIONS))}`,
      )
    }
    const input = await readOperationInput(operation, otherWords)
    const mustExist = operation.method === 'GET' && !operation.isPlanned
    await withAccount(io, { ...options, mustExist }, async ({ app, caller }) => {
      const answer = await app.call(name as 'listCategories', input, caller)
      io.result(formatOutput(operation, answer))
    })
  },
})

/** `openapi`. */
export const openApiCommand = defineCommand({
  name: 'openapi',
  description: 'Print the OpenAPI document of this service',
  options: [['--base-path <path...>', 'base paths of the service', { default: ['/api'] }]],
  examples: ['openapi > openapi.json', 'openapi --base-path /discovery/api'],
  async run({ io, options }) {
    const basePaths = options.basePath.map(readBasePath)
    io.result(JSON.stringify(buildOpenApiDocument({ basePaths }), null, 2))
  },
})

function listOperations(io: Io): void {
  for (const [name, operation] of Object.entries(OPERATIONS)) {
    const params = Object.entries(operation.params ?? {})
      .map(([key, param]) => (param.isRequired ? `--${key} …` : `[--${key} …]`))
      .concat(acceptsJson(operation.body) ? ['--body JSON'] : [])
      .concat(operation.body?.kind === 'file' ? ['--file FILE'] : [])
    io.result(
      [name, ...params, operation.isPlanned ? '(not implemented yet)' : ''].join(' ').trimEnd(),
    )
  }
}

async function readOperationInput(
  operation: Operation,
  words: readonly string[],
): Promise<Record<string, unknown>> {
  const input: Record<string, unknown> = {}
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? ''
    const option = /^--([^=]+)(?:=([\s\S]*))?$/.exec(word)
    if (!option) throw new UsageError(`Cannot read "${word}": pass parameters as --name value`)
    const name = option[1] ?? ''
    let value = option[2]
    if (value === undefined) {
      index += 1
      value = words[index]
    }
    if (value === undefined) throw new UsageError(`Cannot read --${name}: it has no value`)
    if (option[2] === undefined && hasOptionForm(value)) {
      throw new UsageError(describeMissingValue(`--${name}`, { next: value }))
    }
    input[name] = await readParameterValue(operation, name, value)
  }
  return operation.body?.kind === 'ndjson' ? splitRows(input, operation.body.at) : input
}

/** Splits a body that was passed as one object into head and rows. */
function splitRows(input: Readonly<Record<string, unknown>>, at: string): Record<string, unknown> {
  const { body, ...params } = input
  const { [at]: rows, ...head } = Object(body) as Record<string, unknown>
  if (rows !== undefined && !Array.isArray(rows)) {
    throw new UsageError(`Cannot read --body: "${at}" must be an array`)
  }
  return { ...params, head, rows: rows ?? [] }
}

async function readParameterValue(
  operation: Operation,
  name: string,
  value: string,
): Promise<unknown> {
  const { body, params = {} } = operation
  if (body?.kind === 'file' && name === body.name) return readFileBytes(value)
  if (acceptsJson(body) && name === 'body') return parseJsonBody(value)
  if (Object.hasOwn(params, name)) return value
  const known = [...Object.keys(params).map((key) => `--${key}`), ...listBodyOptions(body)]
  throw new UsageError(
    `Cannot use --${name}: the operation accepts ${known.join(', ') || 'no parameters'}`,
  )
}

function acceptsJson(body: Operation['body']): boolean {
  return body?.kind === 'json' || body?.kind === 'values' || body?.kind === 'ndjson'
}

/**
 * Returns the options for the body, with the members of a JSON body if the operation declares them.
 */
function listBodyOptions(body: Operation['body']): readonly string[] {
  if (body?.kind === 'file') return [`--${body.name} FILE`]
  if (body?.kind === 'values') return ['--body JSON, an object of values by name']
  if (body?.kind !== 'json' && body?.kind !== 'ndjson') return []
  const schema = body.kind === 'json' ? body.schema : body.head
  const named = 'entries' in schema ? Object.keys(schema.entries ?? {}) : []
  const entries = body.kind === 'json' ? named : [...named, body.at]
  return [`--body JSON${entries.length > 0 ? `, an object of ${entries.join(', ')}` : ''}`]
}

function parseJsonBody(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new UsageError('Cannot read --body: it is not valid JSON')
  }
}

function formatOutput({ output }: Operation, answer: unknown): string {
  if (output.kind === 'raw' && output.isPassedOn) {
    return new TextDecoder().decode((answer as ForwardedResponse).body)
  }
  if (answer instanceof Uint8Array) return new TextDecoder().decode(answer)
  if (answer === undefined) return 'null'
  const text = JSON.stringify(answer)
  if (text === undefined) throw new CommandError('Cannot print the response: it is not JSON')
  return text
}
