import { END_OF_SCANS, toTimestamp } from '../../shared/dates.ts'
import { isIpAddress, isWebAddress } from '../../shared/urls.ts'
import { withoutSecrets } from '../url-secrets.ts'
import type { Flow, NamedVia } from './flow.ts'
import type { MatchedFlow } from './scan-network.ts'

/** One flow as `scan network --json` prints it; what is unknown is absent. */
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
  /** Catalogued APIs of the vendor, one of which it is. */
  readonly candidates?: readonly string[]
}

/** One flow as `POST /networks/user_scans/` takes it. */
export interface SubmittedFlow {
  readonly captured_ip: string
  readonly port?: number
  readonly host?: string
  readonly direction: 'Outgoing' | 'Incoming'
  readonly capture_datetime: string
  readonly method?: string
  readonly url?: string
}

/** What the service takes at the most. */
const MAX_URL = 4000
const MAX_HOST = 300
const MAX_METHOD = 20

/** A flow as the document that scripts read. */
export function toFlowDocument(flow: MatchedFlow): FlowDocument {
  const { ip, port, host, via, direction, protocol, method, url } = flow
  const { endpointId, apiName, vendorName, candidates } = flow
  return {
    ...(ip === '' ? {} : { captured_ip: ip }),
    ...(port === undefined ? {} : { port }),
    ...(host === undefined ? {} : { host }),
    via,
    direction,
    capture_datetime: toTimestamp(toInstant(flow)),
    protocol,
    ...(method === undefined ? {} : { method }),
    ...(url === undefined ? {} : { url }),
    ...(endpointId === undefined ? {} : { endpoint_id: endpointId }),
    ...(apiName === undefined ? {} : { api_name: apiName }),
    ...(vendorName === undefined ? {} : { vendor_name: vendorName }),
    ...(candidates === undefined ? {} : { candidates }),
  }
}

/** A flow as it is sent to a service, which matches it itself; without secrets of its path. */
export function toSubmittedFlow(flow: Flow): SubmittedFlow {
  const { ip, port, host, direction, method, url } = flow
  const isMethod = method !== undefined && method.length <= MAX_METHOD && /^[a-z-]+$/i.test(method)
  return {
    captured_ip: isIpAddress(ip) ? ip : '',
    ...(port ? { port } : {}),
    ...(host === undefined ? {} : { host: toLine(host, MAX_HOST) }),
    direction,
    capture_datetime: new Date(toInstant(flow)).toISOString(),
    ...(isMethod ? { method } : {}),
    ...(url !== undefined && isWebAddress(url)
      ? { url: toLine(withoutSecrets(url), MAX_URL) }
      : {}),
  }
}

/** Captures may tell any time. */
function toInstant({ capturedAt }: Flow): number {
  return capturedAt >= 0 && capturedAt < END_OF_SCANS ? capturedAt : 0
}

/** What machines sent may hold anything; the service takes no control characters and no half ones. */
function toLine(text: string, length: number): string {
  return text
    .replace(/[\p{Cc}\p{Cs}]/gu, '\ufffd')
    .slice(0, length)
    .replace(/\p{Cs}$/u, '')
}
