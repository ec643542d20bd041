import * as v from 'valibot'
import type { JobState } from '../jobs/records.ts'
import { VERDICTS } from './records.ts'

const STATES = [
  'queued',
  'running',
  'done',
  'failed',
  'aborted',
] as const satisfies readonly JobState[]

const integer = v.pipe(v.number(), v.integer())

const orNull = <Schema extends v.GenericSchema>(schema: Schema) => v.nullable(schema)

/** Start reply (Specification 2.15). `info` is the number of the run. */
export const startReplySchema = v.object({ result: v.string(), info: integer })

const budgetSchema = v.object({ requests: integer, rate: v.number(), payload_bytes: integer })

const limitEntries = { calls: v.number(), window_ms: orNull(v.number()) }
const limitSchema = v.object(limitEntries)

const range = v.tuple([v.number(), v.number()])

const signalSchema = v.picklist(['status', 'unavailable', 'body', 'dropped', 'refused', 'slowed'])

/** Members of a run in a list. */
const runEntries = {
  run: integer,
  endpoint_id: v.string(),
  host: v.string(),
  state: v.picklist(STATES),
  /** Null without a result. */
  verdict: orNull(v.picklist(VERDICTS)),
  sent: integer,
  budget: budgetSchema,
  /** A stop was requested; the run may still be ending. */
  is_stopped: v.boolean(),
  failure: v.string(),
  created_at: v.string(),
  started_at: orNull(v.string()),
  ended_at: orNull(v.string()),
}

/** One run, as in a list. */
export const runSchema = v.object(runEntries)

export const runListSchema = v.object({
  num_results: integer,
  num_pages: integer,
  current_page: integer,
  page_size: integer,
  runs: v.array(runSchema),
})

const timelineRowSchema = v.object({
  at_ms: v.number(),
  sent: integer,
  ok: integer,
  limited: integer,
  failed: integer,
  p50_ms: orNull(v.number()),
  p99_ms: orNull(v.number()),
})

const requestSchema = v.object({
  stage: v.picklist(['ramp', 'recovery', 'payload', 'page']),
  at_ms: v.number(),
  late_ms: v.number(),
  ms: v.number(),
  outcome: v.picklist(['ok', 'limited', 'failed', 'timed_out', 'refused', 'rejected']),
  /** 0 without a response. */
  status: integer,
  in_flight: integer,
  signal: v.optional(signalSchema),
  wait_ms: v.optional(v.number()),
  remaining: v.optional(v.number()),
  limit: v.optional(v.number()),
  window_ms: v.optional(v.number()),
  size: v.optional(v.number()),
  bytes: v.optional(v.number()),
  items: v.optional(integer),
  has_more: v.optional(v.boolean()),
})

/** The evidence of a run. Members that need a result are null without one. */
const extendedSchema = v.object({
  ...runEntries,
  /** Who consented to the test. */
  consent: v.picklist(['operator', 'token']),
  uses_credentials: v.boolean(),
  attempts: integer,
  stop: orNull(
    v.picklist([
      'limit_found',
      'budget_used',
      'time_used',
      'timeouts',
      'server_errors',
      'slow',
      'rejected',
      'cancelled',
      'consent_withdrawn',
      'daily_budget_used',
      'unreachable',
    ]),
  ),
  /** Why the verdict is inconclusive. */
  reason: orNull(v.string()),
  rate: orNull(
    v.object({
      found: v.boolean(),
      /** Short description of the limit. */
      summary: orNull(v.string()),
      signal: orNull(signalSchema),
      observed: orNull(limitSchema),
      /** Ranges of limits that fit the observations: minimum and maximum. */
      bounds: orNull(v.object({ calls: range, window_ms: orNull(range) })),
      at_once: orNull(v.number()),
      at_rate: orNull(v.number()),
      declared: orNull(limitSchema),
      /** Result of comparing `declared` with the observations. */
      comparison: orNull(v.picklist(['untried', 'kept', 'exceeded'])),
      recovery_ms: orNull(v.number()),
    }),
  ),
  payload: orNull(
    v.object({
      state: v.picklist(['bounded', 'taken', 'untested']),
      largest_taken_bytes: orNull(v.number()),
      smallest_refused_bytes: orNull(v.number()),
    }),
  ),
  page: orNull(
    v.object({
      state: v.picklist(['bounded', 'followed', 'unknown', 'untested']),
      parameter: orNull(v.string()),
      /**
       * The larger page size requested, the number of items returned, and the number for the usual
       * page size.
       */
      asked: orNull(v.number()),
      items: orNull(integer),
      usual_items: orNull(integer),
    }),
  ),
  declared: orNull(
    v.object({
      has_429: v.boolean(),
      headers: v.array(v.string()),
      limits: v.array(v.object({ ...limitEntries, source: v.string() })),
      seen: v.object({ calls: integer, limited: integer }),
    }),
  ),
  /** In steps of 100 ms; empty steps are omitted. */
  timeline: v.array(timelineRowSchema),
  requests: v.optional(v.array(requestSchema)),
})

/** Result (Specification 2.15). `datetime` has the form `YYYY/MM/DD`. */
export const resultSchema = v.object({
  datetime: v.string(),
  result: v.string(),
  test_case: v.string(),
  extended: v.optional(extendedSchema),
})

export const consentSchema = v.object({
  host: v.string(),
  origin: v.string(),
  is_given: v.boolean(),
  by: orNull(v.picklist(['operator', 'token'])),
  token: v.string(),
  token_url: v.string(),
  /** Why the response of `token_url` is not consent. */
  reason: orNull(v.string()),
  missing: v.string(),
})
