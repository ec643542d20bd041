import type { CallValues, OutgoingCall } from '../calls/call.ts'
import { toCurl, toDryRun } from '../calls/dry-run.ts'
import type { Egress, EgressEnd, EgressResponse } from '../ports/egress.ts'
import type { Account } from '../shared/account.ts'
import type { CallTrail } from './call-trail.ts'
import { observeBody } from './observe-body.ts'
import { selectPassedHead } from './passed-headers.ts'
import type { Recorder } from './recordings/recorder.ts'
import type { GatewayTarget } from './targets.ts'

/** The response to a caller. */
export interface GatewayResponse {
  /** 200 to 599. */
  readonly status: number
  /**
   * The passed headers, see `PASSED_HEADERS`; `gateway-recording` contains the ID of the recording.
   */
  readonly headers: Readonly<Record<string, string>>
  /**
   * As transferred, including its content encoding. Read it, or release it with the `return` of its
   * iterator.
   */
  readonly body: string | AsyncIterable<Uint8Array> | undefined
}

/** Passes a target's response back while trail and recorder observe it. */
export function passResponseBack(
  answer: EgressResponse,
  way: {
    readonly trail: CallTrail
    readonly account: Account
    readonly target: GatewayTarget
    readonly call: OutgoingCall
    readonly values: CallValues
    /** Undefined if the response is not recorded. */
    readonly recorder: Recorder | undefined
  },
): GatewayResponse {
  const { trail, account, target, call, values, recorder } = way
  const { status } = answer
  const { headers: passed, hasBody } = selectPassedHead({
    method: call.method,
    status,
    headers: answer.headers,
    url: call.secrets.some(({ range }) => range) ? undefined : answer.url,
  })
  trail.status = status
  const beginning = recorder?.begin()
  const headers = beginning ? { ...passed, 'gateway-recording': beginning.id } : passed
  const record = ({ failure }: EgressEnd) => {
    if (!beginning) return
    const isWhole = failure === undefined
    const answered = { status, headers: passed, sent: answer.headers, isWhole }
    recorder?.save(beginning, { account, target, call, values, ...answered })
  }
  if (!hasBody) {
    answer.discard()
    const end: EgressEnd = { bytes: 0, failure: undefined }
    trail.end(end)
    record(end)
    return { status, headers, body: undefined }
  }
  const end = (told: EgressEnd) => trail.end(told)
  answer.onEnd?.(end)
  if (answer.onEnd && !beginning) return { status, headers, body: answer.body }
  const body = observeBody(answer.body, {
    onChunk: beginning && ((chunk) => beginning.add(chunk)),
    onEnd: (told) => {
      if (!answer.onEnd) end(told)
      record(told)
    },
  })
  return { status, headers, body }
}

/**
 * Returns the request of a dry run as JSON and as a curl command, with secrets masked. If the
 * egress would refuse the URL, and can determine that without sending, the reason is included.
 */
export function createDryRunResponse(
  call: OutgoingCall,
  egress: Pick<Egress, 'check'> | undefined,
): GatewayResponse {
  const refusal = egress?.check?.(call.url)
  const shown = {
    request: toDryRun(call),
    curl: toCurl(call),
    ...(refusal ? { would_be_refused: refusal.message } : {}),
  }
  return {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(shown),
  }
}
