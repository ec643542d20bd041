import { createReadStream, createWriteStream, type WriteStream } from 'node:fs'
import { readdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createFolder } from '../create-folder.ts'
import { CaptureError } from './capture-tool.ts'
import { lockSpool } from './lock-spool.ts'

/** State of a scan without its flows; persists across restarts. */
export interface SpooledScan<Head> {
  /** Identifies the scan until the server has assigned an ID. */
  readonly key: string
  readonly head: Head
  readonly instanceId?: string
  /** Number of the batch that created the scan on the server. */
  readonly first?: number
  /** Number of the next batch. */
  readonly next: number
  /** Whether the last batch has been written. */
  readonly isEnded: boolean
}

/** A batch waiting to be sent. */
export interface SpooledBatch {
  readonly number: number
  /** Changes of the scan in this batch. */
  readonly change: BatchChange
  /** Rows in the order they were added. */
  rows(): AsyncIterable<unknown>
}

export interface BatchChange {
  readonly scan_status: 'running' | 'interrupted' | 'complete' | 'failed'
  readonly end_time?: string
}

/** A folder that stores captured rows until they are sent. */
export interface Spool<Head> {
  scan(): SpooledScan<Head>
  /** Whether an earlier scan is continued. */
  readonly isResumed: boolean
  /** Adds a row to the open batch, and resolves when it is written. */
  add(row: unknown): Promise<void>
  /** Closes the open batch for sending. With `end`, also writes the last batch of the scan. */
  seal(end?: BatchChange): Promise<void>
  /** Closed batches in order. */
  pending(): Promise<readonly SpooledBatch[]>
  /** Removes a batch that the server has stored. */
  release(batch: SpooledBatch, instanceId: string): Promise<void>
  /** Closes the spool and leaves its files. */
  close(): Promise<void>
  /** Removes the files of the spool only, not others in its folder. */
  remove(): Promise<void>
}

const STATE = 'scan.json'
const OWN_FILE = /^(?:scan\.json(?:\.new)?|\d{9}\.(?:open|batch))$/
const RUNNING: BatchChange = { scan_status: 'running' }
/** A batch is closed at this number of rows. */
const MAX_ROWS = 10_000

/**
 * Opens or creates a spool, and continues the scan that it contains. Complete rows of a scanner
 * that was killed become a batch. Tolerates a crash at any step: a batch is renamed once complete,
 * and removed after the server has stored it. The spool is locked for this process until it is
 * closed. Throws a `CaptureError` if the spool is invalid or used by another scanner.
 *
 * @example
 * ```ts
 * import { openSpool } from 'api-discovery/scanner'
 *
 * const head = { network_name: 'Office', project_name: 'Storefront' }
 * const spool = await openSpool({ folder: 'spool', key: crypto.randomUUID(), head })
 * await spool.add({ host: 'api.example.com', direction: 'Outgoing' })
 * await spool.seal({ scan_status: 'complete', end_time: new Date().toISOString() })
 * const [batch] = await spool.pending()
 * await spool.close()
 * ```
 */
export async function openSpool<Head>(options: {
  readonly folder: string
  readonly key: string
  readonly head: Head
}): Promise<Spool<Head>> {
  const { folder, key, head } = options
  // Network activity is private to the user.
  await createFolder(folder, 0o700)
  const unlock = await lockSpool(folder)
  const found = await orUnlock(readScanState<Head>(folder))
  let scan: SpooledScan<Head> = found ?? { key, head, next: 0, isEnded: false }
  let saving: Promise<void> = Promise.resolve()
  let open: { readonly number: number; readonly stream: WriteStream; rows: number } | undefined

  /** Serialises writes: sending and capturing both save state. */
  function save(more: Partial<SpooledScan<Head>>): Promise<void> {
    scan = { ...scan, ...more }
    const text = JSON.stringify(scan)
    saving = saving.catch(() => undefined).then(() => writeAtomically(join(folder, STATE), text))
    return saving
  }

  async function begin(change: BatchChange) {
    const number = scan.next
    await save({ next: number + 1 })
    const stream = createWriteStream(join(folder, toBatchFileName(number, 'open')))
    // Each write reports its own error.
    stream.on('error', () => undefined)
    await writeLine(stream, change)
    return { number, stream, rows: 0 }
  }

  async function finish(batch: { readonly number: number; readonly stream: WriteStream }) {
    await endStream(batch.stream)
    const { number } = batch
    await rename(
      join(folder, toBatchFileName(number, 'open')),
      join(folder, toBatchFileName(number, 'batch')),
    )
  }

  async function seal(end?: BatchChange): Promise<void> {
    const last = open
    open = undefined
    if (last) await finish(last)
    if (!end) return
    await finish(await begin(end))
    await save({ isEnded: true })
  }

  async function end(): Promise<void> {
    const last = open
    open = undefined
    if (last) await endStream(last.stream)
    await saving
  }

  /** Releases the lock if opening fails. */
  async function orUnlock<Result>(opening: Promise<Result>): Promise<Result> {
    try {
      return await opening
    } catch (error) {
      await unlock()
      throw error
    }
  }

  await orUnlock(found ? recover(folder) : save({}))

  return {
    scan: () => scan,
    isResumed: found !== undefined,
    async add(row) {
      open ??= await begin(RUNNING)
      const batch = open
      await writeLine(batch.stream, row)
      batch.rows += 1
      if (batch.rows >= MAX_ROWS && open === batch) await seal()
    },
    seal,
    async pending() {
      const numbers = (await readdir(folder)).flatMap((name) => {
        const [, digits] = /^(\d{9})\.batch$/.exec(name) ?? []
        return digits === undefined ? [] : [Number(digits)]
      })
      return Promise.all(numbers.sort((a, b) => a - b).map((number) => readBatch(folder, number)))
    },
    async release({ number }, instanceId) {
      if (scan.instanceId !== instanceId) await save({ instanceId, first: number })
      await rm(join(folder, toBatchFileName(number, 'batch')), { force: true })
    },
    async close() {
      await end()
      await unlock()
    },
    async remove() {
      await end()
      for (const name of await readdir(folder)) {
        if (OWN_FILE.test(name)) await rm(join(folder, name), { force: true })
      }
      await unlock()
    },
  }
}

function toBatchFileName(number: number, kind: 'open' | 'batch'): string {
  return `${String(number).padStart(9, '0')}.${kind}`
}

async function readScanState<Head>(folder: string): Promise<SpooledScan<Head> | undefined> {
  let text: string
  try {
    text = await readFile(join(folder, STATE), 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
  try {
    // The cast is safe: `save` wrote it.
    return JSON.parse(text) as SpooledScan<Head>
  } catch {
    throw new CaptureError(`Cannot use the spool ${folder}: its file ${STATE} is invalid`)
  }
}

/** Closes batches that were open when a scanner crashed. */
async function recover(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!/^\d{9}\.open$/.test(name)) continue
    const file = join(folder, name)
    const bytes = await readFile(file)
    const whole = bytes.lastIndexOf(0x0a) + 1
    if (whole === 0) await rm(file)
    else {
      await truncate(file, whole)
      await rename(file, file.replace(/open$/, 'batch'))
    }
  }
}

async function readBatch(folder: string, number: number): Promise<SpooledBatch> {
  const file = join(folder, toBatchFileName(number, 'batch'))
  async function* read(): AsyncIterable<unknown> {
    const lines = createInterface({ input: createReadStream(file), crlfDelay: Infinity })
    for await (const line of lines) yield JSON.parse(line)
  }
  async function* rows(): AsyncIterable<unknown> {
    let isFirst = true
    for await (const value of read()) {
      if (!isFirst) yield value
      isFirst = false
    }
  }
  let change: BatchChange = RUNNING
  for await (const value of read()) {
    // The cast is safe: `begin` wrote it.
    change = value as BatchChange
    break
  }
  return { number, change, rows }
}

async function writeAtomically(file: string, text: string): Promise<void> {
  await writeFile(`${file}.new`, text)
  await rename(`${file}.new`, file)
}

function writeLine(stream: WriteStream, value: unknown): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(`${JSON.stringify(value)}\n`, (error) => (error ? reject(error) : resolve()))
  })
}

function endStream(stream: WriteStream): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.once('error', reject)
    stream.end(() => resolve())
  })
}
