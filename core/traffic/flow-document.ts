import { END_OF_SCANS, toTimestamp } from '../shared/dates.ts'
import { redactUrlSecrets } from '../shared/url-secrets.ts'
import { isIpAddress, isWebAddress } from '../shared/urls.ts'
import type { Flow, NamedVia } from './flow.ts'
import type { MatchedFlow } from './scan-network.ts'

/** A flow in the output of `scan network --json`; unknown properties are omitted. */
export interface FlowDocument {
  readonly captured_ip?: string
  readonly port?: number
  readonly host?: string
  readonly via: NamedVia
  readonly direction: 'Outgoing' | 'Incoming'
  readonly capture_datetime: string
  readonly protocol: string
  readonly method?: string
  readonly url?: string
  readonly endpoint_id?: string
  readonly api_name?: string
  readonly vendor_name?: string
  /** Names of the vendor's catalogued APIs that the flow may belong to. */
  readonly candidates?: readonly string[]
}

/** A flow in the body of `POST /networks/user_scans/`. */
export interface SubmittedFlow {
  readonly captured_ip: string
  readonly port?: number
  readonly host?: string
  readonly direction: 'Outgoing' | 'Incoming'
  readonly capture_datetime: string
  readonly method?: string
  readonly url?: string
}

/** Limits of the service. */
const MAX_URL = 4000
const MAX_HOST = 300
const MAX_METHOD = 20

/**
 * Converts a flow for `scan network --json`.
 *
 * @example
 * ```ts
 * import { createReadStream } from 'node:fs'
 * import { readCapture, scanNetwork, toFlowDocument } from 'api-discovery/scans'
 *
 * const flows = readCapture(createReadStream('office.pcap'))
 * for await (const flow of scanNetwork({ flows, catalogue })) {
 *   console.log(JSON.stringify(toFlowDocument(flow)))
 * }
 * ```
 */
export function toFlowDocument(flow: MatchedFlow): FlowDocument {
  const { ip, port, host, via, direction, protocol, method, url } = flow
  const { endpointId, apiName, vendorName, candidates } = flow
  return {
    ...(ip === '' ? {} : { captured_ip: ip }),
    ...(port === undefined ? {} : { port }),
    ...(host === undefined ? {} : { host }),
    via,
    direction,
    capture_datetime: toTimestamp(clampInstant(flow)),
    protocol,
    ...(method === undefined ? {} : { method }),
    ...(url === undefined ? {} : { url }),
    ...(endpointId === undefined ? {} : { endpoint_id: endpointId }),
    ...(apiName === undefined ? {} : { api_name: apiName }),
    ...(vendorName === undefined ? {} : { vendor_name: vendorName }),
    ...(candidates === undefined ? {} : { candidates }),
  }
}

/**
 * Converts a flow for submission to a service, which matches it itself. Redacts secrets in its URL.
 *
 * @example
 * ```ts
 * import { createReadStream } from 'node:fs'
 * import { readCapture, type SubmittedFlow, toSubmittedFlow } from 'api-discovery/scans'
 *
 * const rows: SubmittedFlow[] = []
 * for await (const flow of readCapture(createReadStream('office.pcap'))) {
 *   rows.push(toSubmittedFlow(flow))
 * }
 * ```
 */
export function toSubmittedFlow(flow: Flow): SubmittedFlow {
  const { ip, port, host, direction, method, url } = flow
  const isMethod = method !== undefined && method.length <= MAX_METHOD && /^[a-z-]+$/i.test(method)
  return {
    captured_ip: isIpAddress(ip) ? ip : '',
    ...(port ? { port } : {}),
    ...(host === undefined ? {} : { host: sanitizeText(host, MAX_HOST) }),
    direction,
    capture_datetime: new Date(clampInstant(flow)).toISOString(),
    ...(isMethod ? { method } : {}),
    ...(url !== undefined && isWebAddress(url)
      ? { url: sanitizeText(redactUrlSecrets(url), MAX_URL) }
      : {}),
  }
}

/** Captures may contain any time. */
function clampInstant({ capturedAt }: Flow): number {
  return capturedAt >= 0 && capturedAt < END_OF_SCANS ? capturedAt : 0
}

/** Replaces control characters and lone surrogates, which the service rejects, and truncates. */
function sanitizeText(text: string, length: number): string {
  return text
    .replace(/[\p{Cc}\p{Cs}]/gu, '\ufffd')
    .slice(0, length)
    .replace(/\p{Cs}$/u, '')
}
