import { Worker } from 'node:worker_threads'
import { ServiceError } from '../../core/errors.ts'
import type { Isolate } from '../../core/ports/isolate.ts'
import { toBuffers } from './bytes.ts'
import { NEXT, type TaskReply, type TaskRequest } from './protocol.ts'
import { joinResultChunks } from './result-chunks.ts'

/** Limits of the worker threads. */
export interface WorkerIsolateOptions {
  /** Maximum number of threads; 2 by default. */
  readonly maxWorkers?: number | undefined
  /** Heap limit of a thread in MiB, if the runtime supports it (Node); 256 by default. */
  readonly maxHeapMb?: number | undefined
  /** Maximum number of waiting tasks; 64 by default. Further tasks are rejected. */
  readonly maxWaiting?: number | undefined
  /** Milliseconds until an idle thread is terminated; 30,000 by default. */
  readonly idleMs?: number | undefined
  /**
   * Threads started in advance and exempt from `idleMs`; 0 by default. On Deno, starting a thread
   * blocks the event loop for 100 ms and more.
   */
  readonly spareThreads?: number | undefined
  /** Entry file of the threads; the package's own by default. */
  readonly entry?: URL | undefined
}

/** An `Isolate` with threads. Close it with its host. */
export interface WorkerIsolate extends Isolate {
  /** Terminates all threads. Rejects running, waiting and later tasks. */
  close(): Promise<void>
}

/**
 * Runs tasks in `node:worker_threads`, available in Node, Bun and Deno. Starts threads on demand,
 * reuses them, and terminates a thread whose task exceeds its time or memory. Rejects with
 * `too_expensive`, with `overloaded` if too many tasks wait or the isolate is closed, and with
 * `ServiceError`s of the task. Idle threads don't keep the process alive.
 *
 * @example
 * ```ts
 * import { createApiDiscovery } from 'api-discovery'
 * import { createWorkerIsolate } from 'api-discovery/isolate'
 *
 * const isolate = createWorkerIsolate({ maxWorkers: 4 })
 * const app = createApiDiscovery({ storage, isolate })
 * // At the end:
 * await app.close()
 * await isolate.close()
 * ```
 */
export function createWorkerIsolate(options: WorkerIsolateOptions = {}): WorkerIsolate {
  const { maxWorkers = 2, maxHeapMb = 256, maxWaiting = 64, idleMs = 30_000 } = options
  const { spareThreads = 0 } = options
  const entry = options.entry ?? getWorkerEntry()
  const idle: Thread[] = []
  const all = new Set<Thread>()
  const waiting: Waiter[] = []
  let isClosed = false
  let spareTimer: ReturnType<typeof setTimeout> | undefined

  const start = (): Thread => {
    const thread = new Thread(entry, maxHeapMb)
    all.add(thread)
    return thread
  }
  const startSpares = (): void => {
    while (!isClosed && all.size < spareThreads) {
      const thread = start()
      thread.goIdle(undefined)
      idle.push(thread)
    }
  }
  const acquire = async (signal: AbortSignal | undefined): Promise<Thread> => {
    if (isClosed) throw createClosingError()
    for (let warm = idle.pop(); warm; warm = idle.pop()) {
      if (!warm.isDead) return warm
      all.delete(warm)
    }
    if (all.size < maxWorkers) return start()
    if (waiting.length >= maxWaiting) {
      throw new ServiceError(
        'overloaded',
        'Cannot read the file: too many other files are waiting',
        { retryAfter: 5 },
      )
    }
    return new Promise((resolve, reject) => {
      const leave = () => {
        waiting.splice(waiting.indexOf(waiter), 1)
        reject(createCancelledError())
      }
      const settle = <T>(done: (value: T) => void) => {
        return (value: T) => {
          signal?.removeEventListener('abort', leave)
          done(value)
        }
      }
      const waiter: Waiter = { resolve: settle(resolve), reject: settle(reject) }
      waiting.push(waiter)
      signal?.addEventListener('abort', leave, { once: true })
    })
  }
  const release = (thread: Thread): void => {
    if (thread.isDead) all.delete(thread)
    const next = waiting.shift()
    if (next) next.resolve(thread.isDead ? start() : thread)
    if (next) return
    if (thread.isDead) {
      // Not now: the rest of the import would wait for the new thread.
      clearTimeout(spareTimer)
      spareTimer = setTimeout(startSpares, SPARE_DELAY_MS)
      if (typeof spareTimer === 'object') spareTimer.unref()
      return
    }
    idle.push(thread)
    thread.goIdle(all.size > spareThreads ? idleMs : undefined, () => {
      idle.splice(idle.indexOf(thread), 1)
      all.delete(thread)
    })
  }
  const run: Isolate['run'] = async (task, input, limits) => {
    if (limits.signal?.aborted) throw createCancelledError()
    const thread = await acquire(limits.signal)
    try {
      // Only the task determines the type of its result; the caller declares it.
      return (await thread.run({ task, input }, limits)) as never
    } finally {
      // A reused thread would retain the memory of a large file until its next garbage collection.
      if (hasLargeBytes(input)) void thread.kill(createClosingError())
      release(thread)
    }
  }
  const close = async (): Promise<void> => {
    isClosed = true
    clearTimeout(spareTimer)
    for (const { reject } of waiting.splice(0)) reject(createClosingError())
    await Promise.all([...all].map((thread) => thread.kill(createClosingError())))
    all.clear()
    idle.length = 0
  }
  startSpares()
  return { run, close }
}

/** A thread with at most one running task. */
class Thread {
  isDead = false
  private readonly worker: Worker
  private readonly ready: Promise<void>
  private settle: ((reply: TaskReply | Error) => void) | undefined
  private restTimer: ReturnType<typeof setTimeout> | undefined

  constructor(entry: URL, maxHeapMb: number) {
    this.worker = new Worker(entry, {
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMb, maxYoungGenerationSizeMb: YOUNG_MB },
    })
    this.ready = this.nextReply().then(() => undefined)
    // The first task awaits it and reports a failure.
    this.ready.catch(() => undefined)
    this.worker.on('message', (reply: TaskReply) => this.settle?.(reply))
    this.worker.on('error', (error: Error) => this.markDead(error))
    this.worker.on('exit', () => this.markDead(new Error('The thread ended')))
  }

  async run(
    request: TaskRequest,
    limits: { readonly timeoutMs: number; readonly signal?: AbortSignal | undefined },
  ): Promise<unknown> {
    clearTimeout(this.restTimer)
    this.worker.ref()
    const stop = () => void this.kill(createCancelledError())
    limits.signal?.addEventListener('abort', stop, { once: true })
    let timer: ReturnType<typeof setTimeout> | undefined
    try {
      const { input, buffers } = await toBuffers(request.input)
      await this.ready
      if (limits.signal?.aborted) throw createCancelledError()
      const late = `Cannot read the file: it takes more than ${limits.timeoutMs} ms`
      timer = setTimeout(
        () => void this.kill(new ServiceError('too_expensive', late)),
        limits.timeoutMs,
      )
      let reply = await this.sendMessage({ ...request, input }, buffers)
      // Only the task is timed: receiving its result depends on the load of this process.
      clearTimeout(timer)
      const parts: Extract<TaskReply, { readonly kind: 'part' }>[] = []
      while (reply.kind === 'part') {
        parts.push(reply)
        reply = await this.sendMessage(NEXT)
      }
      if (reply.kind === 'failed') {
        throw new ServiceError(reply.code, reply.message, { extra: reply.extra ?? {} })
      }
      return reply.kind === 'done' ? joinResultChunks(reply.value, parts) : undefined
    } finally {
      clearTimeout(timer)
      limits.signal?.removeEventListener('abort', stop)
    }
  }

  /** Allows the process to exit, and terminates the thread after `idleMs`, if defined. */
  goIdle(idleMs: number | undefined, onEnd: () => void = () => {}): void {
    this.worker.unref()
    if (idleMs === undefined) return
    this.restTimer = setTimeout(() => {
      onEnd()
      void this.kill(createClosingError())
    }, idleMs)
    if (typeof this.restTimer === 'object') this.restTimer.unref()
  }

  /** Terminates the thread and rejects its task with the reason. */
  async kill(reason: ServiceError): Promise<void> {
    this.markDead(reason)
    clearTimeout(this.restTimer)
    await this.worker.terminate()
  }

  /** Transfers `buffers`: they are empty afterwards. */
  private sendMessage(
    message: TaskRequest | typeof NEXT,
    buffers: readonly ArrayBuffer[] = [],
  ): Promise<TaskReply> {
    const answer = this.nextReply()
    this.worker.postMessage(message, buffers)
    return answer
  }

  private nextReply(): Promise<TaskReply> {
    return new Promise((resolve, reject) => {
      if (this.isDead) return reject(new ServiceError('too_expensive', 'The thread ended'))
      this.settle = (reply) => {
        this.settle = undefined
        if (reply instanceof Error) reject(reply)
        else resolve(reply)
      }
    })
  }

  private markDead(error: Error): void {
    this.isDead = true
    this.settle?.(
      error instanceof ServiceError
        ? error
        : new ServiceError('too_expensive', 'Cannot read the file: it takes too much memory', {
            cause: error,
          }),
    )
  }
}

function hasLargeBytes(input: unknown): boolean {
  return Object.values(Object(input)).some(
    (value) => value instanceof Uint8Array && value.byteLength > LARGE_BYTES,
  )
}

/** Most allocations of a parser are long-lived: more memory for short-lived ones saves no time. */
const YOUNG_MB = 16

const SPARE_DELAY_MS = 1000

/** Above this size, reading a file takes much longer than starting a thread. */
const LARGE_BYTES = 1024 * 1024

/** A task waiting for a thread. */
interface Waiter {
  readonly resolve: (thread: Thread) => void
  readonly reject: (error: ServiceError) => void
}

function createClosingError(): ServiceError {
  return new ServiceError('overloaded', 'The service is closing')
}

function createCancelledError(): ServiceError {
  return new ServiceError('too_expensive', 'The import was cancelled')
}

/** Returns the worker entry next to this file: `.ts` in the sources, `.js` in the build. */
function getWorkerEntry(): URL {
  const ending = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
  return new URL(`./import-worker.${ending}`, import.meta.url)
}
