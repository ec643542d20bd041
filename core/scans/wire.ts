import * as v from 'valibot'
import { END_OF_SCANS, parseInstant } from '../shared/dates.ts'
import { printableLine } from '../shared/line-schema.ts'
import { boundedList } from '../shared/list-schema.ts'
import { isIpAddress, isWebAddress } from '../shared/urls.ts'
import { nonEmptyLine, returnedFields, sentFields, webAddress } from './endpoint-fields.ts'
import { APPROVALS, REVIEW_STATUSES, SCAN_APPROVALS, SCAN_STATUSES } from './records.ts'

const instant = v.pipe(
  v.string(),
  v.check((value) => parseInstant(value) !== undefined, 'must be a timestamp (ISO 8601)'),
  v.transform((value) => parseInstant(value) ?? 0),
  v.check((value) => value < END_OF_SCANS, 'must be before the year 2100'),
)

const integer = v.pipe(v.number(), v.integer())
const maybeInteger = v.optional(integer)

const integerFrom = (min: number, max: number) => {
  const message = `must be an integer from ${min} to ${max}`
  return v.pipe(
    v.number(message),
    v.integer(message),
    v.minValue(min, message),
    v.maxValue(max, message),
  )
}

const METHOD = v.regex(/^[A-Za-z-]*$/, 'must be an HTTP method')
const methodSchema = v.pipe(printableLine(20), METHOD, v.toLowerCase())

const oneOf = <const T extends readonly string[]>(values: T) =>
  v.picklist(values, `must be one of ${values.join(', ')}`)

/** Head of `POST /scanned/projects`: the first line of NDJSON, or all properties but the rows. */
export const newProjectSchema = v.strictObject({
  project_name: nonEmptyLine(200),
  datetime_created: v.nullish(instant),
})

/** One row of `POST /scanned/projects`. */
export const newEndpointSchema = v.strictObject({
  endpoint_url: webAddress,
  endpoint_method: v.nullish(methodSchema),
  found_in: v.nullish(
    boundedList(
      v.strictObject({
        file: nonEmptyLine(1000),
        line: v.nullish(integerFrom(1, 1_000_000_000)),
        column: v.nullish(integerFrom(1, 1_000_000_000)),
      }),
      1000,
    ),
  ),
  package: v.nullish(printableLine(500)),
  packages: v.nullish(boundedList(printableLine(500), 100)),
  vendor_name: v.nullish(printableLine(200)),
  ...sentFields,
})

export const storedProjectSchema = v.object({
  project_id: v.string(),
  endpoints: integer,
  matched: integer,
  console_url: v.optional(v.string()),
})

/** Head of `POST /networks/user_scans/`. Later batches of a scan only need `instance_id`. */
export const newNetworkSchema = v.strictObject({
  instance_id: v.nullish(nonEmptyLine(100)),
  batch: v.nullish(integerFrom(0, 1_000_000_000)),
  repo_id: v.nullish(nonEmptyLine(100)),
  network_name: v.nullish(nonEmptyLine(200)),
  project_name: v.nullish(nonEmptyLine(200)),
  organization: v.nullish(printableLine(200)),
  nic_ip: v.nullish(printableLine(2000)),
  nic_name: v.nullish(printableLine(200)),
  mac_address: v.nullish(printableLine(200)),
  start_time: v.nullish(instant),
  end_time: v.nullish(instant),
  scan_status: v.nullish(oneOf(SCAN_STATUSES)),
  scan_data_send_freq: v.nullish(
    v.pipe(v.string(), v.regex(/^[0-9]{2}:[0-5][0-9]:[0-5][0-9]$/, 'must be HH:MM:SS')),
  ),
})

/** One row of `POST /networks/user_scans/`. */
export const newFlowSchema = v.strictObject({
  captured_ip: v.config(
    v.pipe(
      v.string(),
      v.regex(/^[0-9A-Fa-f:.]{0,45}$/, 'must be an IP address, or empty'),
      v.check((value) => value === '' || isIpAddress(value), 'must be an IP address, or empty'),
    ),
    { abortPipeEarly: true },
  ),
  port: v.nullish(integerFrom(1, 65_535)),
  host: v.nullish(v.pipe(printableLine(300), v.toLowerCase())),
  direction: oneOf(['Outgoing', 'Incoming']),
  capture_datetime: instant,
  method: v.nullish(methodSchema),
  url: v.nullish(
    v.config(
      v.pipe(
        printableLine(4000),
        v.check((value) => value === '' || isWebAddress(value), 'must be a URL, or empty'),
      ),
      { abortPipeEarly: true },
    ),
  ),
})

export const storedNetworkSchema = v.object({
  instance_id: v.string(),
  repo_id: v.string(),
  flows: integer,
  matched: integer,
  console_url: v.optional(v.string()),
})

const reviewEntries = {
  review_status: v.nullish(oneOf(REVIEW_STATUSES)),
  is_approved: v.nullish(oneOf(SCAN_APPROVALS)),
  endpoints: v.nullish(
    boundedList(
      v.strictObject({
        endpoint_url: nonEmptyLine(4000),
        endpoint_method: v.nullish(methodSchema),
        approval: oneOf(APPROVALS),
        reason: v.nullish(printableLine(2000)),
      }),
      1000,
    ),
  ),
}

/** Body of `PUT /scanned/review`. */
export const projectReviewSchema = v.strictObject({
  project_id: nonEmptyLine(100),
  ...reviewEntries,
})

/** Body of `PUT /networks/review`. */
export const networkReviewSchema = v.strictObject({
  instance_id: nonEmptyLine(100),
  ...reviewEntries,
})

const storedReviewEntries = {
  review_status: v.picklist(REVIEW_STATUSES),
  is_approved: v.picklist(SCAN_APPROVALS),
  by: v.string(),
  at: v.string(),
  endpoints: v.array(
    v.object({
      endpoint_url: v.string(),
      endpoint_method: v.string(),
      approval: v.picklist(APPROVALS),
      reason: v.string(),
      by: v.string(),
      at: v.string(),
    }),
  ),
}

/** The stored review, with the endpoints it decided on. */
export const storedProjectReviewSchema = v.object({
  project_id: v.string(),
  ...storedReviewEntries,
})

export const storedNetworkReviewSchema = v.object({
  instance_id: v.string(),
  ...storedReviewEntries,
})

/** Author and time of a decision; omitted before the first one. */
const decisionEntries = {
  reviewed_by: v.optional(v.string()),
  reviewed_at: v.optional(v.string()),
}

const mappingHeadEntries = {
  network_name: v.string(),
  project_name: v.string(),
  repo_id: v.string(),
  instance_id: v.string(),
  start_time: v.string(),
  end_time: v.string(),
  nic_ip: v.string(),
  nic_name: v.string(),
  mac_address: v.string(),
  scan_status: v.picklist(SCAN_STATUSES),
  scan_data_send_freq: v.string(),
  review_status: v.picklist(REVIEW_STATUSES),
  is_approved: v.picklist(SCAN_APPROVALS),
  ...decisionEntries,
}

/** Gateway scan detail record (Specification 2.6). `end_time` is empty while the scan runs. */
export const scanDetailSchema = v.object({
  ...mappingHeadEntries,
  organization: v.string(),
})

/** Gateway scan mappings (Specification 2.7). */
export const scanMappingsSchema = v.object({
  scan_mappings: v.object({
    ...mappingHeadEntries,
    analyzed_datetime: v.string(),
    mappings: v.array(
      v.object({
        captured_ip: v.string(),
        direction: v.picklist(['Outgoing', 'Incoming']),
        capture_datetime: v.string(),
        endpoint_geolocation: v.string(),
        api_name: v.optional(v.string()),
        api_url: v.optional(v.string()),
        vendor_name: v.optional(v.string()),
        vendor_url: v.optional(v.string()),
        endpoint: v.optional(v.string()),
        endpoint_auth_type: v.optional(v.string()),
        port: v.optional(integer),
        host: v.optional(v.string()),
        method: v.optional(v.string()),
        url: v.optional(v.string()),
        endpoint_id: v.optional(v.string()),
        match_confidence: v.optional(v.number()),
        approval: v.picklist(APPROVALS),
        reason: v.optional(v.string()),
        ...decisionEntries,
      }),
    ),
  }),
})

const scannedEndpointSchema = v.object({
  endpoint_url: v.string(),
  api_name: v.string(),
  api_version: v.string(),
  vendor_name: v.string(),
  endpoint_method: v.string(),
  response_metadata: v.record(v.string(), v.string()),
  agreements: v.array(v.object({ name: v.string(), link: v.string() })),
  server_info: v.object({
    server: v.string(),
    hostcity: v.string(),
    hostcountry: v.string(),
    hostregion: v.string(),
    hostisp: v.string(),
    timezone: v.string(),
  }),
  endpoint_id: v.optional(v.string()),
  match_confidence: v.optional(v.number()),
  found_in: v.array(v.object({ file: v.string(), line: maybeInteger, column: maybeInteger })),
  package: v.optional(v.string()),
  packages: v.optional(v.array(v.string())),
  ...returnedFields,
  approval: v.picklist(APPROVALS),
  reason: v.optional(v.string()),
  ...decisionEntries,
})

/** Scanned project (Specification 2.8). */
const scannedProjectSchema = v.object({
  project_id: v.string(),
  project_name: v.string(),
  datetime_created: v.string(),
  scan_details: v.array(scannedEndpointSchema),
  'review status': v.picklist(REVIEW_STATUSES),
  is_approved: v.picklist(SCAN_APPROVALS),
  analyzed_datetime: v.string(),
  ...decisionEntries,
})

const usageCountEntries = {
  num_usages: integer,
  num_unreviewed: integer,
  num_approved: integer,
  num_rejected: integer,
}

/** Projects and networks of an account that use an API, with the usages of that API only. */
export const apiUsagesSchema = v.object({
  api_name: v.string(),
  api_version: v.string(),
  vendor_name: v.string(),
  projects: v.array(
    v.object({
      project_id: v.string(),
      project_name: v.string(),
      datetime_created: v.string(),
      ...usageCountEntries,
    }),
  ),
  networks: v.array(
    v.object({
      instance_id: v.string(),
      network_name: v.string(),
      project_name: v.string(),
      start_time: v.string(),
      ...usageCountEntries,
    }),
  ),
  is_partial: v.boolean(),
})

/** One object if selected by ID, else an array (contract 4.15). */
export const scannedProjectsSchema = v.union([scannedProjectSchema, v.array(scannedProjectSchema)])
