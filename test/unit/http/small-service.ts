import * as v from 'valibot'
import { ServiceError } from '../../../core/errors.ts'
import {
  type AnyHandler,
  createDispatcher,
  type DispatcherDeps,
} from '../../../core/http/dispatcher.ts'
import type { HttpHandler } from '../../../core/http/message.ts'
import { defineOperations, type Handlers } from '../../../core/http/operation.ts'
import {
  form,
  formBody,
  header,
  integer,
  query,
  required,
  text,
} from '../../../core/http/params.ts'
import { createRevisionTags } from '../../../core/http/revision-tags.ts'
import type { LogLevel, LogValue } from '../../../core/ports/logger.ts'
import { createManualClock } from '../../helpers/random.ts'
import { type RequestParts, readText, toHttpRequest } from './support.ts'

const operation = { tag: 'test', summary: 'Test', scope: 'read' } as const
const n = v.object({ n: v.number() })
const anything = v.record(v.string(), v.unknown())

/** Operations with every kind of body and output. */
export const smallOperations = defineOperations({
  readJson: {
    ...operation,
    method: 'POST',
    paths: ['/json'],
    params: { q: query(text(10), 'Text.'), 'x-note': header(text(10), 'Note.') },
    body: { kind: 'json', schema: v.strictObject({ a: v.number(), b: v.optional(v.string()) }) },
    output: { kind: 'json', schema: anything },
  },
  readForm: {
    ...operation,
    method: 'GET',
    alsoPost: true,
    paths: ['/form/', '/same-form'],
    params: {
      id: required(form(text(20), 'Id.')),
      size: form(integer({ min: 1, max: 9, fallback: 3 }), 'Size.'),
    },
    body: formBody,
    output: { kind: 'json', schema: anything },
  },
  readFile: {
    ...operation,
    method: 'POST',
    paths: ['/file'],
    scope: 'import',
    params: { name: required(header(text(20), 'Name.')) },
    body: { kind: 'file', name: 'file', mediaTypes: ['text/plain'], description: 'A file.' },
    output: { kind: 'json', schema: anything },
  },
  readLines: {
    ...operation,
    method: 'POST',
    paths: ['/lines'],
    body: { kind: 'ndjson', head: n, row: n, at: 'rows' },
    output: { kind: 'json', schema: anything },
  },
  writeRows: {
    ...operation,
    method: 'GET',
    paths: ['/rows'],
    params: { fail: query(integer({ min: 0, max: 100_000, fallback: 0 }), 'Row that fails.') },
    output: { kind: 'rows', at: 'rows', head: n, row: n, tail: v.object({ bytes: v.number() }) },
    cache: 'catalogue',
  },
  writeVariant: {
    ...operation,
    method: 'GET',
    paths: ['/variant'],
    output: { kind: 'variants', mediaTypes: { 'application/json': n, 'text/csv': v.string() } },
    cache: 'constant',
  },
  writeRaw: {
    ...operation,
    method: 'GET',
    paths: ['/raw'],
    mount: 'both',
    scope: 'public',
    output: { kind: 'raw', mediaTypes: ['image/png'] },
  },
  passOn: {
    ...operation,
    method: 'POST',
    paths: ['/pass'],
    params: { how: query(text(), 'How.') },
    body: { kind: 'values', description: 'Anything.' },
    output: { kind: 'raw', mediaTypes: ['*/*'], isPassedOn: true },
  },
  writeNothing: { ...operation, method: 'DELETE', paths: ['/nothing'], output: { kind: 'empty' } },
  fail: {
    ...operation,
    method: 'GET',
    paths: ['/fail'],
    params: { how: query(text(), 'How.') },
    output: { kind: 'json', schema: anything },
    problemMembers: ({ detail }) => ({ info: detail }),
  },
  planned: {
    ...operation,
    method: 'POST',
    paths: ['/planned'],
    params: { id: required(query(text(), 'Id.')) },
    output: { kind: 'empty' },
    isPlanned: true,
  },
})

const SECRET = 'adk_live_0000 SELECT * FROM keys at /home/someone/service.ts'

const handlers: Handlers<typeof smallOperations> = {
  readJson: (input, { account, accept }) => ({ ...input, account: account.name, accept }),
  readForm: (input) => ({ ...input }),
  readFile: ({ name, file }) => ({
    name,
    text: new TextDecoder().decode(file.bytes),
    filename: file.filename,
    mediaType: file.mediaType,
  }),
  readLines: async ({ head, rows }) => {
    let sum = 0
    for await (const row of rows) sum += row.n
    return { head: head.n, sum }
  },
  writeRows: ({ fail }) => ({
    head: { n: 0 },
    rows: countTo(20_000, fail),
    tail: (bytes) => ({ bytes }),
  }),
  writeVariant: (_, { accept }) =>
    accept.includes('text/csv')
      ? { mediaType: 'text/csv', body: 'n\r\n1\r\n' }
      : { mediaType: 'application/json', body: '{"n":1}' },
  writeRaw: () => ({
    status: 203,
    headers: { 'content-type': 'image/png', 'x-own': 'yes' },
    body: new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 255]),
  }),
  passOn: ({ how, body }) => {
    if (how === 'refuse') throw new ServiceError('address_refused', 'Not there')
    const headers = { 'content-type': 'application/json' }
    if (how === 'bytes') return { status: 418, headers, body: JSON.stringify(body) }
    return { status: 200, headers, body: passed(how) }
  },
  writeNothing: () => undefined,
  fail: ({ how }) => {
    if (how === 'known') throw new ServiceError('conflict', 'Cannot do it: it is done already')
    if (how === 'away')
      throw new ServiceError('storage_unavailable', 'Cannot use the storage', { retryAfter: 2 })
    if (how === 'text') throw SECRET
    return Promise.reject(new TypeError(SECRET))
  },
}

/** Recorded calls and log entries of the small service. */
export interface SmallService {
  readonly handle: HttpHandler
  readonly logged: { readonly level: LogLevel; readonly event: string; readonly fields: unknown }[]
  readonly observed: { readonly operation: string; readonly status: number; readonly ms: number }[]
  /** Number of admitted calls in flight. */
  readonly running: { count: number }
  readonly catalogue: { generation: number }
}

/**
 * Creates a service with the small operations: the key `good` has scope read, `other` has import.
 */
export function createSmallService(options: Partial<DispatcherDeps> = {}): SmallService {
  const logged: SmallService['logged'] = []
  const observed: SmallService['observed'] = []
  const running = { count: 0 }
  const catalogue = { generation: 1 }
  const handle = createDispatcher({
    operations: smallOperations,
    handlers: handlers as unknown as Readonly<Record<string, AnyHandler>>,
    authenticate: (request) => {
      const key = request.header('api-key')
      const scope = { good: 'read', other: 'import' }[key ?? '']
      if (!scope) throw new ServiceError('unauthenticated', 'Show a key')
      return {
        account: { id: 'a', name: 'Account' },
        scopes: new Set([scope as 'read' | 'import']),
      }
    },
    admit: () => {
      running.count += 1
      return {
        headers: { ratelimit: 'x' },
        release: () => {
          running.count -= 1
        },
      }
    },
    recordRefusal: () => {},
    tags: {
      catalogue: createRevisionTags('1-c', () => String(catalogue.generation)),
      vulnerabilities: createRevisionTags('1-v', () => '1'),
    },
    constantTag: '"1"',
    basePaths: ['/api', '/alt'],
    publicPath: '',
    limits: {
      maxBodyBytes: 1_000,
      maxFileBytes: 10_000,
      maxStreamBytes: 100_000,
      maxLineBytes: 100,
    },
    allowedOrigins: [],
    clock: createManualClock(),
    logger: {
      log: (level, event, fields?: Readonly<Record<string, LogValue>>) =>
        logged.push({ level, event, fields }),
    },
    observe: (event) => observed.push(event),
    ...options,
  })
  return { handle, logged, observed, running, catalogue }
}

/** The header of a key that may read. */
export const KEY = { 'api-key': 'good' }

/** Sends a request to a small service; returns status, headers and the whole body as text. */
export async function askSmallService(
  { handle }: Pick<SmallService, 'handle'>,
  parts: RequestParts,
) {
  const response = await handle(toHttpRequest(parts))
  return { status: response.status, headers: response.headers, text: await readText(response) }
}

/** Sends a request, with a key of scope read by default; returns status and parsed body. */
export async function askJson(service: Pick<SmallService, 'handle'>, parts: RequestParts) {
  const { status, text } = await askSmallService(service, {
    ...parts,
    headers: { ...KEY, ...parts.headers },
  })
  return [status, JSON.parse(text)]
}

async function* countTo(count: number, fail: number) {
  for (let first = 1; first <= count; first += 100) {
    if (fail > 0 && first >= fail) throw new Error(SECRET)
    yield Array.from({ length: 100 }, (_, index) => ({ n: first + index }))
  }
}

async function* passed(how: string | undefined) {
  if (how === 'break') throw new TypeError(SECRET)
  if (how === 'late') throw new ServiceError('target_timeout', 'The target took too long')
  yield new TextEncoder().encode('passed')
}
