import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  completable,
  createRequestStateCodec,
  fromJsonSchema,
  type InputRequest,
  type InputRequiredResult,
  inputRequired,
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  ResourceTemplate,
  type ServerContext,
  type StandardSchemaWithJSON,
} from '@modelcontextprotocol/server'
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import * as v from 'valibot'

/** A PNG of one pixel and a WAV without samples. */
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA='

const codec = createRequestStateCodec<string>({ key: 'a key of the tests, 32 bytes long.' })
const schema = (entries: v.ObjectEntries) =>
  toStandardJsonSchema(v.object(entries)) as unknown as StandardSchemaWithJSON
const textOf = (text: string): CallToolResult => ({ content: [{ type: 'text', text }] })

/** Questions of the runner's scenarios. */
type Fields = Parameters<typeof inputRequired.elicit>[0]['requestedSchema']
const askForm = (properties: Readonly<Record<string, unknown>>): InputRequest =>
  inputRequired.elicit({
    message: 'Please fill in',
    requestedSchema: { type: 'object', properties, required: Object.keys(properties) } as Fields,
  })
const askText = (name: string): InputRequest => askForm({ [name]: { type: 'string' } })
const askModel = (): InputRequest =>
  inputRequired.createMessage({
    messages: [{ role: 'user', content: { type: 'text', text: 'Write a greeting' } }],
    maxTokens: 50,
  })
const askRoots = (): InputRequest => inputRequired.listRoots()

const WORDS = ['option1', 'option2', 'option3']
const TITLED = WORDS.map((word) => ({ const: word, title: `Title of ${word}` }))

/** Returns a tool that asks, and completes when all answers have arrived. */
function createQuestions(questions: Readonly<Record<string, InputRequest>>, state?: string): Run {
  return async (context) => {
    const { mcpReq } = context
    const names = Object.keys(questions)
    const answers = (mcpReq.inputResponses ?? {}) as Readonly<Record<string, unknown>>
    const isComplete = names.every((name) => isAnswer(answers[name]))
    const isSameState = state === undefined || (await readState(context)) === state
    if (isComplete && isSameState) return textOf(`state-ok ${JSON.stringify(answers)}`)
    const requestState = state === undefined ? {} : { requestState: await codec.mint(state) }
    return inputRequired({ inputRequests: { ...questions }, ...requestState })
  }
}

/** Reads the state of a request, which the client could have changed. */
async function readState(context: ServerContext): Promise<string | undefined> {
  const sent = context.mcpReq.requestState<string>()
  if (sent === undefined) return undefined
  return codec.verify(sent, context).catch(() => {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Invalid state')
  })
}

const isAnswer = (value: unknown) => typeof value === 'object' && value !== null

/** Asks twice: each round has its own state. */
const askTwice: Run = async (context) => {
  const { mcpReq } = context
  const state = await readState(context)
  if (state === 'second') return textOf('Both questions were answered')
  const isAnswered = state === 'first' && mcpReq.inputResponses !== undefined
  return inputRequired({
    inputRequests: isAnswered ? { step2: askText('colour') } : { step1: askText('name') },
    requestState: await codec.mint(isAnswered ? 'second' : 'first'),
  })
}

/** Asks only what the client can answer. */
const askWithinCapabilities: Run = async ({ mcpReq }) => {
  const { elicitation, sampling } = readCapabilities(mcpReq)
  return inputRequired({
    inputRequests: {
      ...(elicitation && { name: askText('name') }),
      ...(sampling && { greeting: askModel() }),
    },
  })
}

function readCapabilities({ envelope }: ServerContext['mcpReq']): ClientCapabilities {
  const sent: Readonly<Record<string, unknown>> | undefined = envelope
  return (sent?.[CLIENT_CAPABILITIES_META_KEY] ?? {}) as ClientCapabilities
}

const sendProgress: Run = async ({ mcpReq }) => {
  const token = mcpReq._meta?.progressToken
  for (const progress of [0, 50, 100]) {
    if (token === undefined) break
    const params = { progressToken: token, progress, total: 100 }
    await mcpReq.notify({ method: 'notifications/progress', params })
  }
  return textOf('Done')
}

const log: Run = async ({ mcpReq }) => {
  for (const message of ['Started', 'Working', 'Completed']) await mcpReq.log('info', message)
  return textOf('Done')
}

type Run = (
  context: ServerContext,
) => CallToolResult | Promise<CallToolResult | InputRequiredResult>

/** Tools without arguments that the official runner calls by name. */
const TOOLS: Readonly<Record<string, Run>> = {
  test_simple_text: () => textOf('A text'),
  test_image_content: () => ({ content: [{ type: 'image', data: PNG, mimeType: 'image/png' }] }),
  test_audio_content: () => ({ content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }] }),
  test_embedded_resource: () => ({ content: [{ type: 'resource', resource: toResource('x') }] }),
  test_multiple_content_types: () => ({
    content: [
      { type: 'text', text: 'Several types' },
      { type: 'image', data: PNG, mimeType: 'image/png' },
      { type: 'resource', resource: toResource('x') },
    ],
  }),
  test_error_handling: () => {
    throw new Error('An error of a tool')
  },
  test_tool_with_progress: sendProgress,
  test_tool_with_logging: log,
  test_streaming_elicitation: createQuestions({ name: askText('name') }),
  test_logging_tool: () => textOf('Nothing was logged'),
  test_sampling: createQuestions({ greeting: askModel() }),
  test_elicitation: createQuestions({ form: askText('username') }),
  test_elicitation_sep1034_defaults: createQuestions({
    form: askForm({
      name: { type: 'string', default: 'John Doe' },
      age: { type: 'integer', default: 30 },
      score: { type: 'number', default: 95.5 },
      status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
      verified: { type: 'boolean', default: true },
    }),
  }),
  test_elicitation_sep1330_enums: createQuestions({
    form: askForm({
      untitledSingle: { type: 'string', enum: WORDS },
      titledSingle: { type: 'string', oneOf: TITLED },
      legacyEnum: { type: 'string', enum: WORDS, enumNames: WORDS },
      untitledMulti: { type: 'array', items: { type: 'string', enum: WORDS } },
      titledMulti: { type: 'array', items: { anyOf: TITLED } },
    }),
  }),
  test_missing_capability: createQuestions({ greeting: askModel() }),
  test_input_required_result_elicitation: createQuestions({ user_name: askText('name') }),
  test_input_required_result_sampling: createQuestions({ capital_question: askModel() }),
  test_input_required_result_list_roots: createQuestions({ client_roots: askRoots() }),
  test_input_required_result_request_state: createQuestions({ confirm: askText('yes') }, 'state'),
  test_input_required_result_tampered_state: createQuestions({ confirm: askText('yes') }, 'state'),
  test_input_required_result_multiple_inputs: createQuestions(
    { user_name: askText('name'), greeting: askModel(), client_roots: askRoots() },
    'all',
  ),
  test_input_required_result_multi_round: askTwice,
  test_input_required_result_capabilities: askWithinCapabilities,
}

const toResource = (text: string) => ({ uri: 'test://embedded', mimeType: 'text/plain', text })
const say = (text: string) => ({
  messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }],
})

/**
 * Adds what the scenarios of the official conformance runner need to a server: tools, resources and
 * prompts of fixed names.
 */
export function addFeatures(server: McpServer): McpServer {
  for (const [name, run] of Object.entries(TOOLS)) {
    server.registerTool(name, { description: name, inputSchema: schema({}) }, ((
      _: unknown,
      context: ServerContext,
    ) => run(context)) as never)
  }
  server.registerTool(
    'json_schema_2020_12_tool',
    { description: 'Has all keywords', inputSchema: fromJsonSchema(ALL_KEYWORDS) },
    (() => textOf('Valid')) as never,
  )
  addResources(server)
  addPrompts(server)
  failOnInvalidState(server)
  const { server: protocol } = server
  protocol.registerCapabilities({ logging: {}, resources: { subscribe: true } })
  protocol.setRequestHandler('resources/subscribe', () => ({}))
  protocol.setRequestHandler('resources/unsubscribe', () => ({}))
  return server
}

/**
 * Makes invalid states errors of the protocol. The package has no other way: it turns all errors of
 * tools into results.
 */
function failOnInvalidState({ server }: McpServer): void {
  type Handle = (request: unknown, context: ServerContext) => Promise<CallToolResult>
  const { _requestHandlers } = server as unknown as { _requestHandlers: Map<string, Handle> }
  const callTool = _requestHandlers.get('tools/call')
  if (!callTool) throw new Error('The package has no handler of tool calls')
  _requestHandlers.set('tools/call', async (request, context) => {
    await readState(context)
    return callTool(request, context)
  })
}

function addResources(server: McpServer): void {
  const text = { uri: 'test://static-text', mimeType: 'text/plain', text: 'A text' }
  const binary = { uri: 'test://static-binary', mimeType: 'image/png', blob: PNG }
  for (const content of [text, binary]) {
    const config = { description: content.uri, mimeType: content.mimeType }
    server.registerResource(content.uri, content.uri, config, () => ({ contents: [content] }))
  }
  server.registerResource(
    'template',
    new ResourceTemplate('test://template/{id}/data', { list: undefined }),
    { description: 'A resource by ID' },
    ({ href }, { id }) => {
      const data = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` })
      return { contents: [{ uri: href, mimeType: 'application/json', text: data }] }
    },
  )
}

function addPrompts(server: McpServer): void {
  server.registerPrompt('test_simple_prompt', { description: 'A prompt' }, () => say('A prompt'))
  const words = completable(toStandardJsonSchema(v.string()), () => ['test', 'testing'])
  const args = { arg1: v.string(), arg2: v.string() }
  server.registerPrompt(
    'test_prompt_with_arguments',
    {
      description: 'Has arguments',
      argsSchema: Object.assign(schema(args), { shape: { arg1: words } }),
    },
    ((values: Readonly<Record<string, string>>) =>
      say(`arg1='${values.arg1}', arg2='${values.arg2}'`)) as never,
  )
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'Embeds a resource', argsSchema: schema({ resourceUri: v.string() }) },
    (({ resourceUri }: Readonly<Record<string, string>>) => ({
      messages: [
        {
          role: 'user',
          content: { type: 'resource', resource: { ...toResource('A text'), uri: resourceUri } },
        },
      ],
    })) as never,
  )
  server.registerPrompt('test_prompt_with_image', { description: 'Has an image' }, () => ({
    messages: [{ role: 'user', content: { type: 'image', data: PNG, mimeType: 'image/png' } }],
  }))
  const asks = createQuestions({ user_context: askText('context') })
  server.registerPrompt('test_input_required_result_prompt', { description: 'Asks' }, (async (
    context: ServerContext,
  ) => {
    const result = await asks(context)
    return 'inputRequests' in result ? result : say('A prompt')
  }) as never)
}

const ALL_KEYWORDS = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object' as const,
  $defs: {
    address: { $anchor: 'addressDef', type: 'object', properties: { street: { type: 'string' } } },
  },
  properties: { name: { type: 'string' }, address: { $ref: '#/$defs/address' } },
  allOf: [{ anyOf: [{ required: ['name'] }, { required: ['address'] }] }],
  if: { required: ['address'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { required: ['name'] },
  else: { required: ['name'] },
  additionalProperties: false,
}
