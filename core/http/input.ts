import * as v from 'valibot'
import type { InputIssue } from '../errors.ts'
import { isMultipartType } from '../shared/media-types.ts'
import { runInTimeSlices } from '../shared/time-slices.ts'
import { type BodyLimits, decodeUtf8, parseJsonObject, readBytes } from './body.ts'
import { type FormContent, readBodyValues, readForm } from './forms.ts'
import { collectIgnoredMembers, collectIgnoredParams } from './ignored-input.ts'
import { checkValue, createInvalidInputError } from './input-issues.ts'
import type { HttpRequest } from './message.ts'
import type { Body, Operation, Param, UploadedFile } from './operation.ts'
import { parsePairs } from './query.ts'
import { checkRows, readHeadAndRows, toAsyncIterable } from './rows-input.ts'

type Input = Record<string, unknown>

/** Location in which each parameter of a request was found, by name. */
export type ParamLocations = Map<string, InputIssue['in']>

/**
 * Reads an operation's input from a request and checks it. Throws `invalid_input` with all issues,
 * each at its documented location; `placements` maps them to the actual one.
 */
export function readInput(
  operation: Operation,
  source: {
    readonly request: HttpRequest
    readonly queryText: string
    readonly limits: BodyLimits
    /** Filled by the call. */
    readonly placements: ParamLocations
    /** Filled by the call: names of query, form and JSON body without effect. */
    readonly ignored: Set<string>
  },
): Input | Promise<Input> {
  const { request, queryText, limits, placements, ignored } = source
  const pairs = parsePairs(queryText)
  const reading: InputReading = { input: {}, issues: [], ignored }
  const { body } = operation
  if (body === undefined || (body.kind === 'form' && request.body === undefined)) {
    readParams(operation, { request, pairs, form: undefined, placements }, reading)
    return checkInputRules(operation, reading)
  }
  return readInputBody(operation, { body, request, limits }, reading).then((form) => {
    readParams(operation, { request, pairs, form, placements }, reading)
    return checkInputRules(operation, reading)
  })
}

/** Checks values of an in-process caller by the same rules. */
export function readCallInput(operation: Operation, values: Input): Input {
  const reading: InputReading = { input: {}, issues: [], ignored: new Set() }
  const { input, issues } = reading
  for (const [name, param] of Object.entries(operation.params ?? {})) {
    const value = values[name]
    readParam({ name, param, text: value === undefined ? undefined : toParamText(value) }, reading)
  }
  const { body } = operation
  if (body?.kind === 'json') input.body = checkValue(body.schema, values.body, issues)
  if (body?.kind === 'values') input.body = checkBodyValues(values.body, issues)
  if (body?.kind === 'file') input.file = toUploadedFile(values.file, body.name, issues)
  if (body?.kind === 'ndjson') {
    input.head = checkValue(body.head, values.head, issues)
    input.rows = checkRows(body, toAsyncIterable((values.rows ?? []) as Iterable<unknown>))
  }
  return checkInputRules(operation, reading)
}

interface InputReading {
  readonly input: Input
  readonly issues: InputIssue[]
  readonly ignored: Set<string>
}

interface ParamSource {
  readonly request: HttpRequest
  readonly pairs: readonly (readonly [string, string])[]
  readonly form: FormContent | undefined
  readonly placements: ParamLocations
}

/** Reads the body into `reading`. Returns it as a form if it is one. */
async function readInputBody(
  operation: Operation,
  source: { readonly body: Body; readonly request: HttpRequest; readonly limits: BodyLimits },
  { input, issues, ignored }: InputReading,
): Promise<FormContent | undefined> {
  const { body, request, limits } = source
  if (body.kind === 'ndjson') {
    Object.assign(input, await readHeadAndRows(body, { request, limits }))
    return undefined
  }
  if (body.kind === 'json') {
    const maxBytes = Math.max(limits.maxBodyBytes, body.maxBytes ?? 0)
    const text = decodeUtf8(await readBytes(request.body, maxBytes))
    const value = text.trim() === '' ? {} : parseJsonObject(text)
    input.body = checkValue(body.schema, value, issues)
    collectIgnoredMembers(body.schema, value, ignored)
    return undefined
  }
  const contentType = request.header('content-type') ?? ''
  if (body.kind === 'values') {
    const { maxBodyBytes, maxFileBytes } = limits
    const maxBytes = isMultipartType(contentType) ? maxFileBytes : maxBodyBytes
    const bytes = await readBytes(request.body, maxBytes)
    input.body = await runInTimeSlices(
      readBodyValues(bytes, { contentType, maxTextBytes: maxBodyBytes }),
    )
    return undefined
  }
  const names = Object.keys(operation.params ?? {})
  const options = { contentType, maxTextBytes: limits.maxBodyBytes }
  if (body.kind === 'form') {
    const bytes = await readBytes(request.body, limits.maxBodyBytes)
    return runInTimeSlices(readForm(bytes, { ...options, names }))
  }
  const work = readForm(await readBytes(request.body, limits.maxFileBytes), {
    ...options,
    names: [...names, body.name],
    fileName: body.name,
  })
  const form = await runInTimeSlices(work)
  input.file = form.file && withUnknownFields(form.file, { form, names })
  if (!form.file?.bytes.byteLength) {
    issues.push({ in: 'form', name: body.name, message: 'is required' })
  }
  if (form.repeated.has(body.name)) issues.push(createRepeatedParamIssue('form', body.name))
  return form
}

/** Reports fields without effect: a client would not notice them otherwise. */
function withUnknownFields(
  file: UploadedFile,
  { form, names }: { readonly form: FormContent; readonly names: readonly string[] },
): UploadedFile {
  const unknown = [...form.fields.keys()].filter((name) => name !== '' && !names.includes(name))
  if (unknown.length === 0) return file
  return { ...file, unknownFields: unknown.slice(0, 10).map((name) => name.slice(0, 100)) }
}

function readParams(operation: Operation, source: ParamSource, reading: InputReading): void {
  const { params } = operation
  const { pairs, form } = source
  if (pairs.length > 0) {
    collectIgnoredParams(
      operation,
      pairs.map(([name]) => name),
      reading.ignored,
    )
  }
  if (form && operation.body?.kind === 'form') {
    collectIgnoredParams(operation, form.fields.keys(), reading.ignored)
  }
  for (const name in params) {
    const param = params[name]
    if (!param) continue
    const before = reading.issues.length
    const text = findParamText(name, param, source, reading.issues)
    if (reading.issues.length === before) readParam({ name, param, text }, reading)
  }
  if (!source.request.hasLostBody) return
  for (const [index, issue] of reading.issues.entries()) {
    if (issue.message !== 'is required') continue
    const message = 'is required: this server drops the body of a GET, so pass it in the query'
    reading.issues[index] = { ...issue, message }
  }
}

/** A documented header wins over the query, and the query over the body. */
function findParamText(
  name: string,
  param: Param,
  source: ParamSource,
  issues: InputIssue[],
): string | undefined {
  const inHeader = param.in === 'header' ? source.request.header(name) : undefined
  if (inHeader !== undefined) {
    source.placements.set(name, 'header')
    return decodeHeaderText(inHeader)
  }
  let found: string | undefined
  for (const [pairName, value] of source.pairs) {
    if (pairName !== name) continue
    if (found !== undefined) {
      issues.push(createRepeatedParamIssue('query', name))
      return found
    }
    found = value
    source.placements.set(name, 'query')
  }
  if (found !== undefined || !source.form) return found
  if (source.form.repeated.has(name)) issues.push(createRepeatedParamIssue('form', name))
  const inForm = source.form.fields.get(name)
  if (inForm !== undefined) source.placements.set(name, 'form')
  return inForm
}

function createRepeatedParamIssue(placement: InputIssue['in'], name: string): InputIssue {
  return { in: placement, name, message: 'must be present only once' }
}

function readParam(
  source: { readonly name: string; readonly param: Param; readonly text: string | undefined },
  { input, issues }: InputReading,
): void {
  const { name, param, text } = source
  if (text === undefined && param.absent) {
    input[name] = param.absent.value
    return
  }
  const result = v.safeParse(param.schema, text, { abortPipeEarly: true })
  if (result.success) input[name] = result.output
  else issues.push({ in: param.in, name, message: result.issues[0].message })
}

function checkInputRules(operation: Operation, { input, issues }: InputReading): Input {
  for (const { names, check } of operation.rules ?? []) {
    const isWrong = issues.some(({ name }) => names.includes(name))
    const issue = isWrong ? undefined : check(input)
    if (issue) issues.push(issue)
  }
  if (issues.length > 0) throw createInvalidInputError(issues)
  return input
}

function toParamText(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function checkBodyValues(value: unknown, issues: InputIssue[]): unknown {
  if (value === undefined) return {}
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  issues.push({ in: 'body', name: '', message: 'must be an object' })
  return undefined
}

function toUploadedFile(
  value: unknown,
  name: string,
  issues: InputIssue[],
): UploadedFile | undefined {
  const bytes = typeof value === 'string' ? new TextEncoder().encode(value) : value
  if (bytes instanceof Uint8Array && bytes.byteLength > 0) {
    return { bytes, filename: '', mediaType: '' }
  }
  issues.push({ in: 'form', name, message: 'is required' })
  return undefined
}

/** Decodes a header value: Latin-1 characters whose bytes may be UTF-8, or percent-encoded text. */
export function decodeHeaderText(value: string): string {
  const text = decodeBytesOfUtf8(value)
  if (!/%[0-9A-Fa-f]{2}/.test(text)) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function decodeBytesOfUtf8(value: string): string {
  if (!/[\u0080-\u00ff]/.test(value) || /[\u0100-\uffff]/.test(value)) return value
  try {
    const bytes = Uint8Array.from(value, (character) => character.charCodeAt(0))
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return value
  }
}
