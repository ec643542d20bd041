import type { Endpoint, EndpointDescription, Server } from '../../../core/catalogue/records.ts'
import type { EndpointParameters } from '../../../core/catalogue/store.ts'
import { ServiceError } from '../../../core/errors.ts'
import type { NewEndpoint } from '../../../core/imports/store.ts'
import { hash53 } from '../../../core/shared/ids.ts'
import type { MaybePromise } from '../../../core/shared/maybe-promise.ts'
import { yieldToEventLoop } from '../../../core/shared/time-slices.ts'
import { toCleanJson } from './clean-text.ts'
import type { QueryParameter } from './engine.ts'
import type { EndpointDetailTable, EndpointTable } from './tables.ts'

/** Columns of an endpoint's row, in the order of `toEndpointValues`. */
export const ENDPOINT_COLUMNS = [
  'row_id',
  'id',
  'since',
  'api_id',
  'short_id',
  'digest',
  'key',
  'key_digest',
  'method',
  'path',
  'url',
  'description',
  'is_inbound',
  'is_deprecated',
] as const satisfies readonly (keyof EndpointTable)[]

/** Columns of an endpoint's details, in the order of `toDetailValues`. */
export const DETAIL_COLUMNS = [
  'row_id',
  'servers',
  'detail',
] as const satisfies readonly (keyof EndpointDetailTable)[]

/** A version of an endpoint to be written. */
export interface EndpointVersion {
  readonly rowId: number
  readonly id: number
  readonly since: number
  readonly apiId: number
  readonly shortId: string
  readonly endpoint: NewEndpoint
}

/** Returns the values of `ENDPOINT_COLUMNS`. */
export function toEndpointValues(version: EndpointVersion): readonly QueryParameter[] {
  const { description, digest } = version.endpoint
  return [
    version.rowId,
    version.id,
    version.since,
    version.apiId,
    version.shortId,
    digest,
    description.key,
    hash53(description.key),
    description.method,
    description.path,
    description.url,
    description.description,
    Number(description.isInbound),
    Number(description.isDeprecated),
  ]
}

/** Returns the values of `DETAIL_COLUMNS`. */
export function toDetailValues(version: EndpointVersion): readonly QueryParameter[] {
  const { description } = version.endpoint
  const detail: EndpointDetail = {
    summary: description.summary,
    operationId: description.operationId,
    tags: description.tags,
    parameters: description.parameters,
    body: description.body,
    response: description.response,
    responseFields: description.responseFields,
    security: description.security,
    authTypes: description.authTypes,
    isDeprecated: description.isDeprecated,
    declaredStatuses: description.declaredStatuses,
    rateLimits: description.rateLimits,
  }
  return [version.rowId, toCleanJson(description.servers), toCleanJson(detail)]
}

/** A row of a query for whole endpoints. */
export type EndpointRow = Pick<
  EndpointTable,
  'id' | 'api_id' | 'short_id' | 'key' | 'method' | 'path' | 'url' | 'description' | 'is_inbound'
> &
  Pick<EndpointDetailTable, 'servers' | 'detail'>

/** Converts a row to an endpoint, without its details if they exceed `MAX_DETAIL_CHARACTERS`. */
export function toEndpoint(row: EndpointRow): Endpoint {
  const detail = parseDetail(row.detail)
  // Assigns members one by one: a spread takes longer than the read.
  return {
    id: row.id,
    shortId: row.short_id,
    apiId: row.api_id,
    method: row.method,
    path: row.path,
    key: row.key,
    url: row.url,
    servers: toServers(row.servers),
    summary: detail.summary,
    description: row.description,
    operationId: detail.operationId,
    tags: detail.tags,
    parameters: detail.parameters,
    body: detail.body,
    response: detail.response,
    responseFields: detail.responseFields,
    security: detail.security,
    authTypes: detail.authTypes,
    isDeprecated: detail.isDeprecated,
    isInbound: row.is_inbound === 1,
    declaredStatuses: detail.declaredStatuses,
    rateLimits: detail.rateLimits,
  }
}

/** A row of a query for an endpoint's parameters. */
export type ParametersRow = Pick<EndpointRow, 'method' | 'url' | 'description' | 'detail'>

/** Converts a row to the parameters of its endpoint. */
export function toEndpointParameters(row: ParametersRow): EndpointParameters {
  const { parameters } = parseDetail(row.detail)
  return { method: row.method, url: row.url, description: row.description, parameters }
}

/**
 * Parses a row, after yielding to the event loop if that takes milliseconds. Throws `too_expensive`
 * for details stored before imports had size limits: parsing them would block every request.
 */
export function parseYielding<Row extends { readonly detail: string }, Result>(
  row: Row,
  parse: (row: Row) => Result,
): MaybePromise<Result> {
  const { length } = row.detail
  if (length <= LARGE_DETAIL_CHARACTERS) return parse(row)
  if (length > MAX_DETAIL_CHARACTERS) {
    throw new ServiceError(
      'too_expensive',
      `Cannot read the endpoint: its details have ${length} characters, more than ${MAX_DETAIL_CHARACTERS}. Import the API's description again`,
    )
  }
  return yieldToEventLoop().then(() => parse(row))
}

/**
 * Maximum characters of details: the limit of an import (`ENDPOINT_LIMITS`) with everything
 * escaped.
 */
const MAX_DETAIL_CHARACTERS = 4 * 1024 * 1024
/** From this size on, parsing and responding take about a millisecond. */
const LARGE_DETAIL_CHARACTERS = 64 * 1024

function parseDetail(json: string): EndpointDetail {
  // The cast is safe: `toDetailValues` above wrote it, without undefined members.
  return json.length > MAX_DETAIL_CHARACTERS ? NO_DETAIL : (JSON.parse(json) as EndpointDetail)
}

/** Parses the servers column. */
export function toServers(json: string): readonly Server[] {
  return JSON.parse(json) as Server[]
}

type EndpointDetail = Omit<
  EndpointDescription,
  'method' | 'path' | 'key' | 'url' | 'servers' | 'description' | 'isInbound'
>

const NO_DETAIL: EndpointDetail = {
  summary: '',
  operationId: '',
  tags: [],
  parameters: [],
  body: undefined,
  response: undefined,
  responseFields: [],
  security: [],
  authTypes: [],
  isDeprecated: false,
  declaredStatuses: [],
}
