import { createReadStream, createWriteStream, type WriteStream } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { CaptureError } from './capture-tool.ts'
import { lockSpool } from './spool-lock.ts'

/** What is known of a scan besides its flows; kept over restarts. */
export interface SpooledScan<Head> {
  /** Names the scan until the server has given it an id. */
  readonly key: string
  readonly head: Head
  readonly instanceId?: string
  /** Number of the batch that it was given for. */
  readonly first?: number
  /** Number of the next batch. */
  readonly next: number
  /** Its last batch is there. */
  readonly isEnded: boolean
}

/** A batch that waits to be sent. */
export interface SpooledBatch {
  readonly number: number
  /** What the batch says of the scan. */
  readonly change: BatchChange
  /** Its rows, as they were added. */
  rows(): AsyncIterable<unknown>
}

export interface BatchChange {
  readonly scan_status: 'running' | 'interrupted' | 'complete' | 'failed'
  readonly end_time?: string
}

/** A folder that keeps what was captured until it has been sent. */
export interface Spool<Head> {
  scan(): SpooledScan<Head>
  /** The scan was there before: it goes on. */
  readonly isResumed: boolean
  /** Adds a row to the open batch; it is on its way to the disk at once. */
  add(row: unknown): Promise<void>
  /** Closes the open batch, that it can be sent; with `end`, the scan's last. */
  seal(end?: BatchChange): Promise<void>
  /** The closed ones, in their order. */
  pending(): Promise<readonly SpooledBatch[]>
  /** Lets a batch go that the server has stored. */
  release(batch: SpooledBatch, instanceId: string): Promise<void>
  /** Keeps the files. */
  close(): Promise<void>
  /** Removes the spool's files, and nothing else that lies in the folder. */
  remove(): Promise<void>
}

const STATE = 'scan.json'
const OWN_FILE = /^(?:scan\.json(?:\.new)?|\d{9}\.(?:open|batch))$/
const RUNNING: BatchChange = { scan_status: 'running' }
/** A batch is closed when it has as many. */
const MAX_ROWS = 10_000

/**
 * Opens a spool, made where it is not there. A scan that it holds goes on: rows of a scanner that was
 * killed are a batch, but for one that was cut off. Every step may be the last: a batch is renamed
 * when it is whole, and let go after the server has it. It is this process's until it is closed.
 * Throws a `CaptureError` for a spool that is broken, or another scanner's.
 */
export async function openSpool<Head>(given: {
  readonly folder: string
  readonly key: string
  readonly head: Head
}): Promise<Spool<Head>> {
  const { folder, key, head } = given
  // What a network does is for nobody else to read.
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const unlock = await lockSpool(folder)
  const found = await orUnlock(readState<Head>(folder))
  let scan: SpooledScan<Head> = found ?? { key, head, next: 0, isEnded: false }
  let saving: Promise<void> = Promise.resolve()
  let open: { readonly number: number; readonly stream: WriteStream; rows: number } | undefined

  /** One after the other: sending and capturing both have things to keep. */
  function save(more: Partial<SpooledScan<Head>>): Promise<void> {
    scan = { ...scan, ...more }
    const text = JSON.stringify(scan)
    saving = saving.catch(() => undefined).then(() => writeWhole(join(folder, STATE), text))
    return saving
  }

  async function begin(change: BatchChange) {
    const number = scan.next
    await save({ next: number + 1 })
    const stream = createWriteStream(join(folder, toName(number, 'open')))
    // Each write tells its own failure.
    stream.on('error', () => undefined)
    await write(stream, change)
    return { number, stream, rows: 0 }
  }

  async function finish(batch: { readonly number: number; readonly stream: WriteStream }) {
    await endOf(batch.stream)
    const { number } = batch
    await rename(join(folder, toName(number, 'open')), join(folder, toName(number, 'batch')))
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
    if (last) await endOf(last.stream)
    await saving
  }

  /** What cannot be opened is nobody's. */
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
      await write(batch.stream, row)
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
      await rm(join(folder, toName(number, 'batch')), { force: true })
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

function toName(number: number, kind: 'open' | 'batch'): string {
  return `${String(number).padStart(9, '0')}.${kind}`
}

async function readState<Head>(folder: string): Promise<SpooledScan<Head> | undefined> {
  let text: string
  try {
    text = await readFile(join(folder, STATE), 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
  try {
    // Written by `save`.
    return JSON.parse(text) as SpooledScan<Head>
  } catch {
    throw new CaptureError(`Cannot use the spool ${folder}: its ${STATE} is broken`)
  }
}

/** Closes batches that were open when a scanner ended without order. */
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
  const file = join(folder, toName(number, 'batch'))
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
    // Written by `begin`.
    change = value as BatchChange
    break
  }
  return { number, change, rows }
}

async function writeWhole(file: string, text: string): Promise<void> {
  await writeFile(`${file}.new`, text)
  await rename(`${file}.new`, file)
}

function write(stream: WriteStream, value: unknown): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(`${JSON.stringify(value)}\n`, (error) => (error ? reject(error) : resolve()))
  })
}

function endOf(stream: WriteStream): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.once('error', reject)
    stream.end(() => resolve())
  })
}
