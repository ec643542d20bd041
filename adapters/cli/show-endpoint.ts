import type { Api, Endpoint } from '../../core/catalogue/index.ts'
import { describeParameters } from '../../core/gateway/index.ts'
import { type Io, printLabelledRows } from './io.ts'
import { formatParameters } from './parameter-table.ts'

/** Prints an endpoint with its parameters. */
export function showEndpoint(
  io: Io,
  {
    api,
    endpoint,
    isJson,
  }: { readonly api: Api; readonly endpoint: Endpoint; readonly isJson: boolean },
): void {
  const parameters = describeParameters(endpoint)
  const { shortId, method, url, summary, authTypes, isDeprecated, isInbound } = endpoint
  if (isJson) {
    const { encryptedId, name, version, vendor } = api
    const ofApi = { api_id: encryptedId, api_name: name, api_version: version, vendor: vendor.name }
    const facts = { ...toEndpointJson(endpoint), summary, url, auth_types: authTypes }
    io.result(JSON.stringify({ ...facts, ...ofApi, parameters }))
    return
  }
  const title = `${api.name} ${api.version}`.trim()
  printLabelledRows(io, [
    [isInbound ? 'Webhook' : 'Endpoint', `${method.toUpperCase()} ${url}`],
    ['ID', shortId],
    ['API', `${title} (${api.vendor.name}) ${api.encryptedId}`],
    ['Summary', summary],
    ['Authentication', authTypes.join(', ').replace('undeclared', 'not declared')],
    ['Deprecated', isDeprecated ? 'yes' : 'no'],
  ])
  io.result('')
  io.result(formatParameters(parameters))
  if (!isInbound) io.note(`Preview a call: api-discovery gateway ${shortId} NAME=VALUE --dry-run`)
}

/** Converts an endpoint to the JSON of lists. */
export function toEndpointJson(endpoint: Endpoint) {
  const { id, shortId, method, path, isDeprecated, isInbound } = endpoint
  return {
    id,
    endpoint_id: shortId,
    method,
    path,
    summary: summarizeEndpoint(endpoint),
    is_deprecated: isDeprecated,
    is_inbound: isInbound,
  }
}

/** Returns the summary, or the first line of the description, in at most 80 characters. */
export function summarizeEndpoint({ summary, description }: Endpoint): string {
  const text = summary.trim() || description.trim()
  const [line = ''] = text.split('\n', 1)
  return line.length > 80 ? `${line.slice(0, 79)}…` : line
}
