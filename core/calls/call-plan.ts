import type { Endpoint } from '../catalogue/records.ts'
import { ServiceError } from '../errors.ts'
import { createBodyWriter, type ExtraValue } from './body.ts'
import { type BodyKind, toBodyKind } from './body-kind.ts'
import type { CallOptions, CallPlan, CallValues, SecretPosition } from './call.ts'
import { applyCredentials } from './credentials.ts'
import { Ambiguity, collectFields, type Field, type Fields, isInBody } from './fields.ts'
import { toFile } from './files.ts'
import { createHeadersWriter, setContentType } from './headers.ts'
import { createIssues, type Issues, tryWrite } from './issues.ts'
import { findLoss } from './losses.ts'
import { applyRule, Refusal } from './rules.ts'
import { compileServers, type ServerTarget } from './servers.ts'
import { createUrlWriter } from './url.ts'
import { isUpload, toPlainText } from './values.ts'

/** The members of an endpoint that a call plan needs. */
export type PlannedEndpoint = Pick<
  Endpoint,
  'method' | 'path' | 'servers' | 'parameters' | 'body' | 'security' | 'response'
>

/**
 * Compiles an endpoint for calls. Does all work that is independent of the values, so reuse the
 * plan. Equal values produce equal bytes.
 */
export function createCallPlan(endpoint: PlannedEndpoint): CallPlan {
  const method = endpoint.method.toUpperCase()
  const canSend = /^[\w!#$%&'*+.^`|~-]+$/.test(method) && method !== 'CONNECT'
  const kind = toBodyKind(endpoint)
  const servers = compileServers(endpoint.servers)
  const fields = collectFields({ endpoint, kind, variables: servers.variables })
  const { list } = fields
  const shape = { fields, kind }
  const writeUrl = createUrlWriter(endpoint.path, list)
  const writeHeaders = createHeadersWriter(list)
  const writeBody = kind && createBodyWriter(kind, list)
  const required = list.filter((field) => field.isRequired && !isInBody(field))
  const bodyFields = list.filter(isInBody)
  const requiredInBody = bodyFields.filter((field) => field.isRequired)
  const variables = list.filter(({ placement }) => placement === 'server')
  const secretPlaces = list.flatMap(toSecretPosition)
  const mediaType = endpoint.response?.mediaType.replace(/[^\x20-\x7e]/g, '').trim()

  const originOf: CallPlan['originOf'] = (values, options = {}) => {
    const issues = createIssues(list)
    // Other issues are reported when the call is built.
    const slots = variables.length > 0 ? assignValues(values, shape, createIssues(list)).slots : []
    clearRefused(slots)
    const target = chooseTarget(slots, options.server, issues)
    if (!target) throw issues.toError()
    return target.origin
  }

  const build = (values: CallValues, options: CallOptions = {}) => {
    const issues = createIssues(list)
    const { slots, extras: given } = assignValues(values, shape, issues)
    const used = applyCredentials(options.credentials, shape, { slots, issues })
    const extras = used.extras.length === 0 ? given : [...given, ...used.extras]
    requireFields(slots, extras, issues)
    if (!issues.isEmpty) clearRefused(slots)
    const secrets: SecretPosition[] = [...used.secrets]
    for (const { index, place } of secretPlaces) {
      if (slots[index] !== undefined) secrets.push(place)
    }
    const target = chooseTarget(slots, options.server, issues) ?? PLACEHOLDER_TARGET
    const url = writeUrl({ target, slots, credentials: used, secrets, issues })
    const { lines, cookies } = used
    const headers = writeHeaders({ slots, lines, cookies, issues })
    const body = writeBody && tryWrite('body', issues, () => writeBody(slots, extras))
    if (body) setContentType(headers, body, issues)
    if (!issues.isEmpty) throw issues.toError()
    return { method, url, headers, body: body?.bytes, secrets }
  }

  return {
    isIdempotent: IDEMPOTENT.has(method),
    accept: mediaType ? `${mediaType}, */*;q=0.5` : '*/*',
    originOf,
    build,
  }

  function chooseTarget(
    slots: readonly unknown[],
    server: string | undefined,
    issues: Issues,
  ): ServerTarget | undefined {
    if (!canSend) {
      throw new ServiceError(
        'no_server',
        `Cannot call the endpoint: ${method} is not a valid request method`,
      )
    }
    let given: Map<string, string> | undefined
    for (const { index, name } of variables) {
      const value = slots[index]
      if (value === undefined) continue
      given ??= new Map()
      given.set(name, toPlainText(value))
    }
    return servers.choose({ server, given, issues })
  }

  /** Required body fields apply only if there is a body. */
  function requireFields(slots: unknown[], extras: readonly ExtraValue[], issues: Issues): void {
    for (const field of required) requireField(field, slots, issues)
    if (requiredInBody.length === 0) return
    const isWanted = kind?.isRequired || extras.length > 0
    if (!isWanted && !bodyFields.some(({ index }) => slots[index] !== undefined)) return
    for (const field of requiredInBody) requireField(field, slots, issues)
  }
}

/** RFC 9110 9.2.2. */
const IDEMPOTENT = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE', 'TRACE'])

/** Placeholder target, to collect the remaining issues of an invalid call. */
const PLACEHOLDER_TARGET: ServerTarget = { origin: '', prefix: '', query: '' }

/** Excludes path parameters, whose position the URL writer adds. */
function toSecretPosition(field: Field): readonly { index: number; place: SecretPosition }[] {
  const { index, name, placement, isSecret } = field
  if (!isSecret || placement === 'path' || placement === 'server') return []
  return [{ index, place: { placement, name: placement === 'header' ? name.toLowerCase() : name } }]
}

/**
 * Clears refused values. Their issues are already recorded, so the remaining checks ignore them.
 */
function clearRefused(slots: unknown[]): void {
  for (let index = 0; index < slots.length; index += 1) slots[index] ??= undefined
}

function requireField(field: Field, slots: unknown[], issues: Issues): void {
  if (slots[field.index] !== undefined) return
  if (field.fallback !== undefined && field.refusal === undefined) {
    slots[field.index] = field.fallback
  } else {
    issues.add(field.key, 'is required')
  }
}

/** A caller's values, assigned to fields. */
interface AssignedValues {
  /** By field index: undefined if not set, null if refused. */
  readonly slots: unknown[]
  /** Values of undeclared body fields, in the caller's order. */
  readonly extras: readonly ExtraValue[]
}

const NO_EXTRAS: readonly ExtraValue[] = []

/**
 * Assigns each value to its field and applies the field's rule. `null` and undefined count as not
 * set.
 */
function assignValues(
  values: CallValues,
  plan: { readonly fields: Fields; readonly kind: BodyKind | undefined },
  issues: Issues,
): AssignedValues {
  const { fields, kind } = plan
  const slots: unknown[] = new Array(fields.list.length).fill(undefined)
  let extras: ExtraValue[] | undefined
  for (const name of Object.keys(values)) {
    const value = values[name]
    if (value === null || value === undefined) continue
    const field = fields.names.get(name)
    if (field === undefined) {
      if (kind?.isFlattened && kind.allowsAdditional) {
        extras ??= []
        extras.push([name, readExtraValue(name, value, kind, issues)])
      } else {
        issues.add(name, 'is not a parameter of the endpoint')
      }
    } else if (field instanceof Ambiguity) {
      issues.add(name, `is ambiguous: use ${field.keys.map((key) => `"${key}"`).join(' or ')}`)
    } else {
      const read = readFieldValue(field, value, slots)
      if (read instanceof Refusal) {
        issues.add(name, read.message)
        slots[field.index] ??= null
      } else {
        slots[field.index] = read
      }
    }
  }
  return { slots, extras: extras ?? NO_EXTRAS }
}

function readFieldValue(field: Field, value: unknown, slots: readonly unknown[]): unknown {
  if (field.refusal !== undefined) return new Refusal(field.refusal)
  if (slots[field.index] !== undefined) return new Refusal(`is set twice: also as "${field.key}"`)
  return applyRule(value, field.rule)
}

function readExtraValue(name: string, value: unknown, kind: BodyKind, issues: Issues): unknown {
  const loss = findLoss(value)
  if (loss !== undefined) {
    issues.add(name, loss)
    return null
  }
  const isList = Array.isArray(value)
  if (!(isList ? value.some(isUpload) : isUpload(value))) return value
  if (kind.family !== 'multipart') issues.add(name, 'must not be a file')
  return isList ? value.map((item) => (isUpload(item) ? toFile(item) : item)) : toFile(value)
}
