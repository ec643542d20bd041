import { Worker } from 'node:worker_threads'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  DummyDriver,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { createUnavailableError } from './kysely/errors.ts'
import type { SqliteWriter } from './kysely/sqlite-engine.ts'

/** A statement to run, its bytes as `ArrayBuffer`s, or the end of the connection. */
export type WriterRequest =
  | { readonly sql: string; readonly parameters: readonly unknown[] }
  | 'close'

/** The result of a request, in order of the requests; the first one reports the opened file. */
export type WriterReply =
  | WriterResult
  | { readonly message: string; readonly errcode: number | undefined }

interface WriterResult {
  readonly rows: unknown[]
  /** Number of changed rows. */
  readonly changes?: number | bigint
}

/**
 * Opens a connection in a thread: writing and flushing a large commit takes hundreds of
 * milliseconds. The thread does not keep the process alive while it is idle.
 */
export async function openThreadConnection(file: string): Promise<SqliteWriter> {
  const thread = new WriterThread(file)
  try {
    await thread.receive()
  } catch (error) {
    await thread.terminate()
    throw error
  }
  let isOpen = true
  return {
    dialect: createThreadDialect(thread),
    async close() {
      if (!isOpen) return
      isOpen = false
      // A thread that has ended has no connection to close.
      await thread.send('close').catch(() => undefined)
      await thread.terminate()
    },
  }
}

class WriterThread {
  private readonly worker: Worker
  private readonly waiting: ((reply: WriterReply | Error) => void)[] = []
  private failure: Error | undefined

  constructor(file: string) {
    this.worker = new Worker(getWriterEntry(), { workerData: file })
    this.worker.on('message', (reply: WriterReply) => this.waiting.shift()?.(reply))
    this.worker.on('messageerror', (error: Error) => this.fail(error))
    this.worker.on('error', (error: Error) => this.fail(error))
    this.worker.on('exit', () => this.fail(new Error('The thread ended')))
  }

  async send(request: WriterRequest): Promise<WriterResult> {
    // First, as it throws for what cannot be copied: then no reply follows.
    this.worker.postMessage(request)
    return this.receive()
  }

  receive(): Promise<WriterResult> {
    return new Promise((resolve, reject) => {
      if (this.failure) return reject(this.failure)
      if (this.waiting.length === 0) this.worker.ref()
      this.waiting.push((reply) => {
        if (this.waiting.length === 0) this.worker.unref()
        if ('rows' in reply) return resolve(reply)
        if (reply instanceof Error) return reject(reply)
        reject(Object.assign(new Error(reply.message), { errcode: reply.errcode }))
      })
    })
  }

  async terminate(): Promise<void> {
    await this.worker.terminate()
  }

  private fail(error: Error): void {
    this.failure ??= createUnavailableError('its writing thread ended', error)
    for (let settle = this.waiting.shift(); settle; settle = this.waiting.shift()) {
      settle(this.failure)
    }
  }
}

function createThreadDialect(thread: WriterThread): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createDriver: () => new ThreadDriver(thread),
  }
}

/** A pool of one connection: queries and transactions wait for each other. */
class ThreadDriver extends DummyDriver {
  private readonly connection: DatabaseConnection
  private readonly waiting: (() => void)[] = []
  private isAcquired = false

  constructor(thread: WriterThread) {
    super()
    this.connection = {
      async executeQuery<R>({ sql, parameters }: CompiledQuery) {
        const { rows, changes } = await thread.send({ sql, parameters: parameters.map(toBuffer) })
        // Only the caller knows the type of its rows.
        const typed = rows as R[]
        return changes === undefined
          ? { rows: typed }
          : { rows: typed, numAffectedRows: BigInt(changes) }
      },
      streamQuery() {
        throw new Error('Cannot stream a query from a thread')
      },
    }
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    if (this.isAcquired) await new Promise<void>((resolve) => this.waiting.push(resolve))
    this.isAcquired = true
    return this.connection
  }

  override async releaseConnection(): Promise<void> {
    const next = this.waiting.shift()
    if (next) next()
    else this.isAcquired = false
  }
}

/**
 * Copies bytes: a message contains the whole buffer of a view, and Deno takes a second to receive
 * 6 MB in a `Uint8Array`.
 */
function toBuffer(value: unknown): unknown {
  return value instanceof Uint8Array ? new Uint8Array(value).buffer : value
}

/** Returns the entry of the thread next to this file: `.ts` in the sources, `.js` in the build. */
function getWriterEntry(): URL {
  const ending = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
  return new URL(`./sqlite-writer.${ending}`, import.meta.url)
}
