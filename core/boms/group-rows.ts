import { toSlices } from '../shared/batches.ts'
import { createPause } from '../shared/slices.ts'

/** Rows that belong to one service. */
export interface RowGroup<Row> {
  /** Undefined for a host that no catalogued API has. */
  readonly apiId: number | undefined
  /** Lower case, or an address; empty for an API. */
  readonly host: string
  readonly rows: readonly Row[]
}

/** What tells to which service a row belongs. */
export interface RowKey<Row> {
  apiId(row: Row): number | undefined
  host(row: Row): string
}

/** Rows that are held at a time. A service of more comes in parts. */
export const MAX_ROWS = 50_000
/** Groups and rows that are handed on together. */
const BATCH_GROUPS = 100
const BATCH_ROWS = 5_000

/**
 * Groups rows by service, in batches of groups. They come API by API, those of no API last, which
 * are grouped by host here. Memory stays at `MAX_ROWS` rows, whatever a scan holds.
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

  const pause = createPause()
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
      yield* inTurns(ready)
      ready = []
      readyRows = 0
    }
    // A storage in this process and a reader that is quick would leave no turn to others.
    await pause()
  }
  closeApi()
  closeHosts()
  yield* inTurns(ready)
}

async function* inTurns<Group>(groups: readonly Group[]): AsyncIterable<readonly Group[]> {
  const pause = createPause()
  for (const batch of toSlices(groups, BATCH_GROUPS)) {
    yield batch
    await pause()
  }
}
