import * as v from 'valibot'
import { defineTool, type ToolContext } from '../define-tool.ts'
import { cutText } from '../present.ts'
import { requireScope } from '../require-scope.ts'
import { integer, maxWords, text } from './inputs.ts'

const CHARACTERS_PER_WORD = 6
/** RFC 9110 9.2.1: methods that change nothing. */
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])
const TEXT_TYPE =
  /^(?:text\/|application\/(?:[\w.+-]*\+)?(?:json|xml|yaml|x-ndjson|javascript|x-www-form-urlencoded)\b)/i

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
    server: v.optional(text(2000, 'Server to call, if the API declares several.')),
    dry_run: v.optional(v.boolean(), false),
    offset: v.optional(
      v.pipe(
        v.number(),
        v.integer(),
        v.minValue(0),
        v.maxValue(100_000_000),
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
    body: v.string(),
    num_characters: integer,
    next_offset: v.nullable(integer),
  }),
  effect: 'calls',
  async run(input, context) {
    const { app, caller, signal } = context
    const { endpoint_id, values, server } = input
    requireScope(caller, 'call')
    const call = { endpoint_id, body: values as never, ...(server ? { server } : {}) }
    const planned = await app.call('callEndpoint', { ...call, dry_run: true }, caller)
    const shown = new TextDecoder().decode(planned.body)
    const { request, would_be_refused: refusal } = JSON.parse(shown) as PlannedCall
    const { method, url } = request
    if (input.dry_run) {
      const body = cutText(shown, input.max_words * CHARACTERS_PER_WORD)
      return {
        data: {
          ...NOT_SENT,
          method,
          url,
          media_type: 'application/json',
          body,
          num_characters: shown.length,
        },
        summary: `Not sent.${refusal === undefined ? '' : ` It would be refused: ${refusal}`} Call again without dry_run to send it.`,
        lines: [body],
      }
    }
    if (!SAFE_METHODS.has(method) && !(await isPermitted(method, context))) {
      const answer = context.confirm?.(
        `Send this request?\n\n${method} ${url}${request.body === null ? '' : `\n\n${cutText(toBodyText(request.body), 2000)}`}`,
      )
      if (answer?.state === 'ask') return { question: answer.question }
      if (answer?.state !== 'yes') {
        const reason = answer
          ? 'the user did not confirm it'
          : `${method} needs a confirmation, which this client cannot ask for`
        return {
          data: { ...NOT_SENT, method, url },
          summary: `Not sent: ${reason}. ${answer ? 'Do not try again without asking the user.' : `The user can send it in the console, or an administrator can permit ${method} in the policy of the key ("gateway policies set").`}`,
          lines: [],
        }
      }
    }
    const sent = await app.call('callEndpoint', call, caller, { signal })
    const type = sent.headers['content-type'] ?? ''
    const isText = type === '' || TEXT_TYPE.test(type)
    const whole = isText ? new TextDecoder().decode(sent.body) : ''
    const end = input.offset + input.max_words * CHARACTERS_PER_WORD
    const body = whole.slice(input.offset, end).toWellFormed()
    const next = end < whole.length ? end : null
    return {
      data: {
        is_sent: true,
        ...{ method, url, status: sent.status, media_type: type, body },
        num_characters: whole.length,
        next_offset: next,
      },
      summary: `The target responded with status ${sent.status}.${isText ? '' : ` The body (${sent.body.length} bytes of ${type}) is no text and not shown.`}${next === null ? '' : ` The body has ${whole.length} characters: for the rest, call with offset ${next}${SAFE_METHODS.has(method) ? '' : ', which sends the request again'}.`}`,
      lines: body === '' ? [] : [body],
    }
  },
})

interface PlannedCall {
  readonly request: {
    readonly method: string
    readonly url: string
    readonly body: string | { readonly base64: string } | { readonly bytes: number } | null
  }
  readonly would_be_refused?: string
}

const NOT_SENT = {
  is_sent: false,
  status: null,
  media_type: '',
  body: '',
  num_characters: 0,
  next_offset: null,
} as const

/** Whether the policy of the key lists the method. */
async function isPermitted(method: string, { app, caller }: ToolContext): Promise<boolean> {
  if (caller.keyId === undefined) return false
  const policies = await app.gateway.policies.list(caller.account)
  const own = policies.find(({ policy }) => policy.keyId === caller.keyId)
  return own?.policy.methods?.includes(method) ?? false
}

function toBodyText(body: Exclude<PlannedCall['request']['body'], null>): string {
  if (typeof body === 'string') return body
  return 'bytes' in body ? `${body.bytes} bytes` : `base64: ${body.base64}`
}
