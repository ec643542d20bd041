import { splitIntoBatches } from '../shared/batches.ts'
import { createYieldIfDue } from '../shared/time-slices.ts'

/** The rows of one service. */
export interface RowGroup<Row> {
  /** Undefined for a host that belongs to no catalogued API. */
  readonly apiId: number | undefined
  /** Lower case, or an IP address; empty for an API. */
  readonly host: string
  readonly rows: readonly Row[]
}

/** Extracts the fields that determine a row's service. */
export interface RowKey<Row> {
  apiId(row: Row): number | undefined
  host(row: Row): string
}

/** Maximum number of rows in memory. A larger service is split into several groups. */
export const MAX_ROWS = 50_000
/** Thresholds of groups and rows for yielding a batch. */
const BATCH_GROUPS = 100
const BATCH_ROWS = 5_000

/**
 * Groups rows by service, in batches of groups. Input rows must be sorted by API, with unmatched
 * rows last, which are grouped by host. Holds at most `MAX_ROWS` rows in memory, regardless of the
 * scan's size.
 */
export async function* groupRows<Row>(
  pages: AsyncIterable<readonly Row[]>,
  key: RowKey<Row>,
): AsyncIterable<readonly RowGroup<Row>[]> {
  let ready: RowGroup<Row>[] = []
  let readyRows = 0
  let current: { readonly apiId: number; readonly rows: Row[] } | undefined
  let hosts = new Map<string, Row[]>()
  let hostRows = 0

  const closeApi = () => {
    if (!current) return
    ready.push({ ...current, host: '' })
    readyRows += current.rows.length
    current = undefined
  }
  const closeHosts = () => {
    for (const [host, rows] of hosts) ready.push({ apiId: undefined, host, rows })
    readyRows += hostRows
    hosts = new Map()
    hostRows = 0
  }

  const pause = createYieldIfDue()
  for await (const page of pages) {
    for (const row of page) {
      const apiId = key.apiId(row)
      if (current?.apiId !== apiId) closeApi()
      if (apiId === undefined) {
        const host = key.host(row)
        const rows = hosts.get(host)
        if (rows) rows.push(row)
        else hosts.set(host, [row])
        hostRows += 1
        if (hostRows >= MAX_ROWS) closeHosts()
      } else {
        current ??= { apiId, rows: [] }
        current.rows.push(row)
        if (current.rows.length >= MAX_ROWS) closeApi()
      }
      if (ready.length < BATCH_GROUPS && readyRows < BATCH_ROWS) continue
      yield* yieldBatches(ready)
      ready = []
      readyRows = 0
    }
    // An in-process storage and a fast reader would never yield to the event loop.
    await pause()
  }
  closeApi()
  closeHosts()
  yield* yieldBatches(ready)
}

async function* yieldBatches<Group>(groups: readonly Group[]): AsyncIterable<readonly Group[]> {
  const pause = createYieldIfDue()
  for (const batch of splitIntoBatches(groups, BATCH_GROUPS)) {
    yield batch
    await pause()
  }
}
