import { ServiceError } from '../../../core/index.ts'
import { type CveHit, toHitWire } from '../../../core/vulnerabilities/index.ts'
import type { PageResult, ViewedRequest } from '../page.ts'
import { parseSearch } from './parse-search.ts'
import { toSeverity } from './severity.ts'

/** Streams all results of a search, newest first: as CSV, or as JSON like the extended search. */
export async function handleDownload(request: ViewedRequest): Promise<PageResult> {
  const { app, query: params, signal } = request
  const { query, errors } = parseSearch(params)
  if (errors.size > 0) {
    throw new ServiceError('invalid_input', 'Cannot download the results: some filters are invalid')
  }
  const { hits } = await app.vulnerabilities.search({ ...query, isExtended: true })
  const isJson = params.get('format') === 'json'
  return {
    kind: 'file',
    name: `vulnerabilities.${isJson ? 'json' : 'csv'}`,
    mediaType: isJson ? 'application/json' : 'text/csv; charset=utf-8',
    body: encodeTexts(isJson ? writeJson(hits) : writeCsv(hits), signal),
  }
}

type HitBatches = AsyncIterable<readonly CveHit[]>

async function* encodeTexts(
  texts: AsyncIterable<string>,
  signal: AbortSignal,
): AsyncIterable<Uint8Array> {
  const encoder = new TextEncoder()
  for await (const text of texts) {
    if (signal.aborted) return
    yield encoder.encode(text)
  }
}

async function* writeJson(hits: HitBatches): AsyncIterable<string> {
  let before = '['
  for await (const batch of hits) {
    if (batch.length === 0) continue
    yield before + batch.map((hit) => toHitWire(hit).text).join(',\n')
    before = ',\n'
  }
  yield before === '[' ? '[]\n' : ']\n'
}

async function* writeCsv(hits: HitBatches): AsyncIterable<string> {
  // The byte order mark tells spreadsheets that this is UTF-8.
  yield `\ufeff${CSV_COLUMNS.join(',')}\r\n`
  for await (const batch of hits) yield batch.map(toCsvLine).join('')
}

const CSV_COLUMNS = [
  'cve_id',
  'published',
  'last_modified',
  'severity',
  'cvss_score',
  'cvss_version',
  'cvss_vector',
  'known_exploited_since',
  'due_date',
  'ransomware',
  'epss_score',
  'epss_percentile',
  'vendor',
  'product',
  'version',
  'cwe_ids',
  'description',
]

function toCsvLine({ line, named, extended }: CveHit): string {
  if (!extended) return ''
  const { record, epss, exploited } = extended
  // The cast is safe: the core wrote the line.
  const shown = named ?? (JSON.parse(line) as { vendor: string; product: string; version: string })
  const metric = record.metrics[0]
  const cells = [
    record.id,
    new Date(record.publishedAt).toISOString(),
    new Date(record.modifiedAt).toISOString(),
    toSeverity(metric),
    metric?.score.toFixed(1),
    metric?.version,
    metric?.vector,
    exploited?.addedOn,
    exploited?.dueOn,
    exploited ? String(exploited.isRansomware) : '',
    epss?.score,
    epss?.percentile,
    ...[shown.vendor, shown.product, shown.version].map((name) => (name === '-' ? '' : name)),
    [...new Set(record.weaknesses.map(({ id }) => id))].join(' '),
    record.descriptions[0]?.text,
  ]
  return `${cells.map(toCsvCell).join(',')}\r\n`
}

/**
 * Quotes a cell (RFC 4180). An apostrophe keeps spreadsheets from running its text as a formula.
 */
function toCsvCell(value: string | number | undefined): string {
  if (typeof value === 'number') return String(value)
  const text = value ?? ''
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
