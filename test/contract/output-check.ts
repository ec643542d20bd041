import * as v from 'valibot'
import type { Operation, RowsOutput } from '../../core/http/operation.ts'
import { PROBLEM_TYPES } from '../../core/http/problems.ts'
import type { WireAnswer } from './ways.ts'

/**
 * Returns why a response differs from its operation's documentation, or undefined. Strict: unknown
 * members are issues, in rows and problem documents as well.
 */
export function findOutputIssue(operation: Operation, answer: WireAnswer): string | undefined {
  const contentType = answer.headers['content-type'] ?? ''
  if (contentType === 'application/problem+json') return findProblemIssue(operation, answer)
  const { output } = operation
  if (output.kind === 'raw' && output.isPassedOn) {
    return answer.headers['gateway-error'] === undefined ? undefined : 'must be a problem document'
  }
  if (output.kind === 'empty') {
    return answer.status === 204 && answer.body === '' ? undefined : 'must be 204 without a body'
  }
  if (output.kind === 'raw') {
    const mediaType = contentType.split(';')[0] ?? ''
    return output.mediaTypes.includes(mediaType) ? undefined : `undocumented ${contentType}`
  }
  if (output.kind === 'variants') return findVariantIssue(output.mediaTypes, answer)
  if (answer.status !== 200 || contentType !== 'application/json') {
    return `must be 200 with JSON: ${answer.status} ${contentType}`
  }
  const value: unknown = JSON.parse(answer.body)
  if (output.kind === 'json' || output.kind === 'document') return findIssue(output.schema, value)
  return findRowsIssue(output, value)
}

/** Other media types than JSON are checked by their own schemas elsewhere. */
function findVariantIssue(
  mediaTypes: Readonly<Record<string, v.GenericSchema>>,
  { status, headers, body }: WireAnswer,
): string | undefined {
  const mediaType = (headers['content-type'] ?? '').split(';')[0] ?? ''
  const schema = mediaTypes[mediaType]
  if (status !== 200 || !schema) return `must be 200 with a documented type: ${status} ${mediaType}`
  if (mediaType === 'application/json') return findIssue(schema, JSON.parse(body))
  return v.is(schema, mediaType.endsWith('json') ? JSON.parse(body) : body)
    ? undefined
    : `is no ${mediaType}`
}

function findRowsIssue(output: RowsOutput, value: unknown): string | undefined {
  if (output.within) return findEnvelopeIssue(output, value as Record<string, unknown>)
  const { at, head, tail, row } = output
  const members = { ...(value as Record<string, unknown>) }
  const rows = at === undefined ? value : members[at]
  if (!Array.isArray(rows)) return 'has no rows'
  for (const each of rows) {
    const issue = findIssue(row, each)
    if (issue) return issue
  }
  if (at === undefined) return undefined
  delete members[at]
  const known = { ...parseOutput(head, members), ...parseOutput(tail, members) }
  return isSame(known, members) ? undefined : `undocumented members: ${Object.keys(members)}`
}

function findEnvelopeIssue(
  { within, tail, ...inner }: RowsOutput,
  value: Readonly<Record<string, unknown>>,
): string | undefined {
  const { [within?.at ?? '']: member, ...members } = value
  const known = { ...within?.before, ...parseOutput(tail, members) }
  if (!isSame(known, members)) return `undocumented members: ${Object.keys(members)}`
  return findRowsIssue(inner, member)
}

function parseOutput(schema: v.GenericSchema | undefined, value: unknown): object {
  return schema ? (v.parse(schema, value) as object) : {}
}

/** Output schemas do not transform values, so a member missing from their result is unknown. */
function findIssue(schema: v.GenericSchema, value: unknown): string | undefined {
  const result = v.safeParse(schema, value)
  if (!result.success) return `${v.getDotPath(result.issues[0])}: ${result.issues[0].message}`
  return isSame(result.output, value)
    ? undefined
    : `undocumented members in ${JSON.stringify(value)}`
}

function isSame(left: unknown, right: unknown): boolean {
  return JSON.stringify(sortMembers(left)) === JSON.stringify(sortMembers(right))
}

function sortMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortMembers)
  if (typeof value !== 'object' || value === null) return value
  const sorted = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1))
  return Object.fromEntries(sorted.map(([key, member]) => [key, sortMembers(member)]))
}

const issueSchema = v.strictObject({
  in: v.picklist(['path', 'query', 'header', 'body', 'form']),
  name: v.string(),
  message: v.pipe(v.string(), v.minLength(1)),
})

const problemSchema = v.strictObject({
  type: v.literal('about:blank'),
  title: v.pipe(v.string(), v.minLength(1)),
  status: v.number(),
  detail: v.pipe(v.string(), v.minLength(1)),
  code: v.picklist(Object.keys(PROBLEM_TYPES)),
  request_id: v.pipe(v.string(), v.minLength(1)),
  errors: v.optional(v.pipe(v.array(issueSchema), v.minLength(1))),
  pointer: v.optional(v.string()),
  line: v.optional(v.number()),
  column: v.optional(v.number()),
  unknown_vendor: v.optional(v.string()),
})

/** An invalid call is reported with the parameters of its endpoint. */
const callProblemSchema = v.strictObject({
  ...problemSchema.entries,
  parameters: v.optional(
    v.array(
      v.strictObject({
        name: v.string(),
        placement: v.string(),
        is_required: v.boolean(),
        type: v.string(),
        enum: v.optional(v.array(v.unknown())),
        default: v.optional(v.string()),
        minimum: v.optional(v.number()),
        maximum: v.optional(v.number()),
        exclusiveMinimum: v.optional(v.number()),
        exclusiveMaximum: v.optional(v.number()),
        minLength: v.optional(v.number()),
        maxLength: v.optional(v.number()),
        minItems: v.optional(v.number()),
        maxItems: v.optional(v.number()),
        items: v.optional(
          v.strictObject({ type: v.string(), enum: v.optional(v.array(v.string())) }),
        ),
      }),
    ),
  ),
})

/** A rejected test is reported with the missing consent or the parameters of its endpoint. */
const testProblemSchema = v.strictObject({
  ...callProblemSchema.entries,
  host: v.optional(v.string()),
  operator: v.optional(v.string()),
  token_url: v.optional(v.string()),
  token: v.optional(v.string()),
  reason: v.optional(v.string()),
  budget: v.optional(v.picklist(['account', 'host'])),
  left: v.optional(v.number()),
  until: v.optional(v.string()),
  reserved: v.optional(v.number()),
  run: v.optional(v.number()),
  state: v.optional(v.picklist(['queued', 'running'])),
  options: v.optional(v.pipe(v.array(v.string()), v.minLength(1))),
})

const uploadProblemSchema = v.strictObject({
  ...problemSchema.entries,
  info: v.pipe(v.string(), v.minLength(1)),
  result: v.literal('Failure'),
})

/** A problem of the registry has the members of an error of ARD (appendix B). */
const registryProblemSchema = v.strictObject({
  ...problemSchema.entries,
  errorCode: v.picklist([
    'INVALID_ARGUMENT',
    'UNAUTHENTICATED',
    'PERMISSION_DENIED',
    'NOT_FOUND',
    'RATE_LIMIT_EXCEEDED',
    'INTERNAL_ERROR',
  ]),
  message: v.pipe(v.string(), v.minLength(1)),
})

/**
 * Validates a problem document (contract section 2). Those of the upload also have its envelope.
 */
export function findProblemIssue(
  operation: Operation | undefined,
  { status, headers, body }: WireAnswer,
): string | undefined {
  const value: unknown = JSON.parse(body)
  const isPassedOn = operation?.output.kind === 'raw' && operation.output.isPassedOn === true
  const schema = isPassedOn
    ? callProblemSchema
    : operation?.problemMembers
      ? operation.tag === 'discovery'
        ? registryProblemSchema
        : uploadProblemSchema
      : operation?.paths[0].startsWith('/benchmark/')
        ? testProblemSchema
        : problemSchema
  const result = v.safeParse(schema, value)
  if (!result.success) return `${v.getDotPath(result.issues[0])}: ${result.issues[0].message}`
  const known = PROBLEM_TYPES[result.output.code as keyof typeof PROBLEM_TYPES]
  const isConsistent =
    result.output.status === status &&
    known.status === status &&
    known.title === result.output.title
  if (isPassedOn && headers['gateway-error'] !== result.output.code) return 'names no failure'
  return isConsistent ? undefined : `status ${status} and code ${result.output.code} do not agree`
}
