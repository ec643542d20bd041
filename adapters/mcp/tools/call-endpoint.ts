import * as v from 'valibot'
import type { GatewayCall } from '../../../core/gateway/index.ts'
import { ServiceError } from '../../../core/index.ts'
import { toSha256Hex } from '../../../core/shared/digests.ts'
import { defineTool, type ToolContext } from '../define-tool.ts'
import { CHARACTERS_PER_WORD, cutText, escapeInvisible } from '../present.ts'
import { integer, maxWords, SEARCH_AGAIN, text } from './inputs.ts'

/** RFC 9110 9.2.1: methods that change nothing. */
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])
const TEXT_TYPE =
  /^(?:text\/|application\/(?:[\w.+-]*\+)?(?:json|xml|yaml|x-ndjson|javascript|x-www-form-urlencoded)$)/i
/** The header is data of third parties: only the media type itself is shown. */
const MEDIA_TYPE = /^[\w.+-]{1,60}\/[\w.+-]{1,60}/
/** Response headers that tell what to do next. */
const SHOWN_HEADERS = /^(?:location|retry-after|(?:x-)?ratelimit(?:-[\w-]{1,40})?)$/
/** The longest request that a user is asked to confirm, in characters. */
const MAX_CONFIRMED = 4000
const MAX_OFFSET = 1_000_000

/** Calls an endpoint through the gateway, with the credentials of the account. */
export const callEndpoint = defineTool({
  name: 'call_endpoint',
  title: 'Call an endpoint',
  description:
    'Calls an endpoint through the gateway, with the stored credentials of the account; never pass secrets. GET, HEAD and OPTIONS are sent at once. Other methods are sent if the policy of the key permits them, or after the user has confirmed. With dry_run, returns the request only.',
  input: v.object({
    endpoint_id: text(20, 'ID of an endpoint, from search_apis.'),
    values: v.optional(
      v.pipe(
        v.record(v.string(), v.unknown()),
        v.description(
          'Values of parameters and of members of a JSON body, by name. For a name in several locations: "query.name".',
        ),
      ),
      {},
    ),
    server: v.optional(text(2000, 'Server to call, if describe_endpoint lists several.')),
    dry_run: v.optional(v.boolean(), false),
    offset: v.optional(
      v.pipe(
        v.number(),
        v.integer(),
        v.minValue(0),
        v.maxValue(MAX_OFFSET),
        v.description('First character of the response body: calls again and returns the rest.'),
      ),
      0,
    ),
    max_words: maxWords,
  }),
  output: v.object({
    is_sent: v.boolean(),
    method: v.string(),
    url: v.string(),
    status: v.nullable(integer),
    media_type: v.string(),
    headers: v.record(v.string(), v.string()),
    body: v.string(),
    next_offset: v.nullable(integer),
  }),
  scope: 'call',
  effect: 'calls',
  nextSteps: {
    not_found: SEARCH_AGAIN,
    invalid_input: 'Correct the values by describe_endpoint',
  },
  async run(input, context) {
    const { app, caller } = context
    const call: GatewayCall = {
      endpointId: input.endpoint_id,
      values: input.values as GatewayCall['values'],
      server: input.server || undefined,
      accept: '*/*',
      // The body is read here, and has no other encoding.
      header: (name) => (name === 'accept-encoding' ? 'identity' : undefined),
      signal: context.signal,
    }
    const length = input.max_words * CHARACTERS_PER_WORD
    const planned = await app.gateway.call({ ...call, isDryRun: true }, caller)
    const shown = await readStart(planned.body, Number.POSITIVE_INFINITY)
    const { request, would_be_refused: refusal } = JSON.parse(shown.text) as PlannedCall
    const { method, url } = request
    if (input.dry_run) {
      const body = cutText(JSON.stringify(request), length)
      return {
        data: { ...NOT_SENT, method, url, media_type: 'application/json', body },
        summary: `Not sent.${refusal === undefined ? '' : ' It would be refused: its address is not allowed.'} Call again without dry_run to send it.`,
        lines: [body],
      }
    }
    if (!SAFE_METHODS.has(method) && !(await isPermitted(method, context))) {
      const answer = context.confirm?.(describeRequest(request), await toSha256Hex(shown.text))
      if (answer?.state === 'ask') return { question: answer.question }
      if (answer?.state !== 'yes') {
        const summary = answer
          ? 'Not sent: the user did not confirm it. Do not try again without asking the user.'
          : `Not sent: ${method} needs a confirmation, which this client cannot ask for. The user can send the request in the console.${caller.keyId === undefined ? '' : ` An administrator can permit ${method} in the policy of the key ("gateway policies set").`}`
        return { data: { ...NOT_SENT, method, url }, summary, lines: [] }
      }
    }
    const sent = await app.gateway.call(call, caller)
    const [type = ''] = MEDIA_TYPE.exec(sent.headers['content-type'] ?? '') ?? []
    const isText = type === '' || TEXT_TYPE.test(type)
    const end = input.offset + length
    const read = await readStart(sent.body, isText ? end : 0)
    const body = read.text.slice(input.offset, end).toWellFormed()
    const next = isText && read.hasMore && end <= MAX_OFFSET ? end : null
    const headers = Object.fromEntries(
      Object.entries(sent.headers).flatMap(([name, value]) =>
        SHOWN_HEADERS.test(name) ? [[name, cutText(value, 300)]] : [],
      ),
    )
    return {
      data: {
        is_sent: true,
        ...{ method, url, status: sent.status, media_type: type, headers, body },
        next_offset: next,
      },
      summary: `The target responded with status ${sent.status}.${isText ? '' : ` The body is no text (${type}) and not shown.`}${next === null ? '' : ` For the rest of the body, call with offset ${next}${SAFE_METHODS.has(method) ? '' : ', which sends the request again'}.`}`,
      lines: [
        ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
        ...(body === '' ? [] : [body]),
      ],
    }
  },
})

interface PlannedCall {
  readonly request: {
    readonly method: string
    readonly url: string
    readonly headers: Readonly<Record<string, string>>
    readonly body: string | { readonly base64: string } | { readonly bytes: number } | null
  }
  readonly would_be_refused?: string
}

const NOT_SENT = {
  is_sent: false,
  status: null,
  media_type: '',
  headers: {},
  body: '',
  next_offset: null,
} as const

/** Whether the policy of the key lists the method. */
async function isPermitted(method: string, { app, caller }: ToolContext): Promise<boolean> {
  if (caller.keyId === undefined) return false
  const policies = await app.gateway.policies.list(caller.account)
  const own = policies.find(({ policy }) => policy.keyId === caller.keyId)
  return own?.policy.methods?.includes(method) ?? false
}

/** All that is sent, with masked secrets. Throws `invalid_input` if it is too long to be read. */
function describeRequest({ method, url, headers, body }: PlannedCall['request']): string {
  const lines = [
    `${method} ${url}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body === null ? [] : ['', toBodyText(body)]),
  ]
  const text = escapeInvisible(lines.join('\n'))
  if (text.length <= MAX_CONFIRMED) return `Send this request?\n\n${text}`
  throw new ServiceError(
    'invalid_input',
    `The request is too long for a confirmation (${text.length} characters, at most ${MAX_CONFIRMED})`,
  )
}

function toBodyText(body: Exclude<PlannedCall['request']['body'], null>): string {
  if (typeof body === 'string') return body
  return 'bytes' in body ? `${body.bytes} bytes` : `base64: ${body.base64}`
}

/** Reads the first characters of a body, and releases the rest. */
async function readStart(
  body: string | AsyncIterable<Uint8Array> | undefined,
  characters: number,
): Promise<{ readonly text: string; readonly hasMore: boolean }> {
  if (body === undefined || typeof body === 'string') return { text: body ?? '', hasMore: false }
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of body) {
    if (text.length >= characters) return { text, hasMore: true }
    text += decoder.decode(chunk, { stream: true })
  }
  text += decoder.decode()
  return { text, hasMore: text.length > characters }
}
