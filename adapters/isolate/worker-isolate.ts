import { Worker } from 'node:worker_threads'
import { ServiceError } from '../../core/http/problems.ts'
import type { Isolate } from '../../core/ports.ts'
import { toBuffers } from './bytes.ts'
import { joinParts } from './parts.ts'
import { NEXT, type TaskReply, type TaskRequest } from './protocol.ts'

/** How many threads, how large, and how long they are kept. */
export interface WorkerIsolateOptions {
  /** Threads at the same time; 2 when not given. */
  readonly maxWorkers?: number | undefined
  /** Heap of one thread in MiB, where the runtime can limit it (Node); 256 when not given. */
  readonly maxHeapMb?: number | undefined
  /** Tasks that may wait for a thread before more are refused; 64 when not given. */
  readonly maxWaiting?: number | undefined
  /** Milliseconds after which a thread without work is ended; 30,000 when not given. */
  readonly idleMs?: number | undefined
  /** The threads' entry file; the package's own when not given. */
  readonly entry?: URL | undefined
}

/** An `Isolate` over threads, to be closed with its host. */
export interface WorkerIsolate extends Isolate {
  /** Ends all threads; tasks under way and waiting are rejected, and so are later ones. */
  close(): Promise<void>
}

/**
 * Runs tasks in `node:worker_threads`, which Node, Bun and Deno all have. A thread is started when
 * it is first needed, kept warm for the next task and killed when a task takes too long or too
 * much memory. Rejects with `too_expensive`, with `overloaded` when too many tasks wait or it is
 * closed, and with the task's own `ServiceError`s. Idle threads don't keep the process alive.
 */
export function createWorkerIsolate(options: WorkerIsolateOptions = {}): WorkerIsolate {
  const { maxWorkers = 2, maxHeapMb = 256, maxWaiting = 64, idleMs = 30_000 } = options
  const entry = options.entry ?? ownEntry()
  const idle: Thread[] = []
  const all = new Set<Thread>()
  const waiting: Waiter[] = []
  let isClosed = false

  const start = (): Thread => {
    const thread = new Thread(entry, maxHeapMb)
    all.add(thread)
    return thread
  }
  const acquire = async (signal: AbortSignal | undefined): Promise<Thread> => {
    if (isClosed) throw toClosing()
    for (let warm = idle.pop(); warm; warm = idle.pop()) {
      if (!warm.isDead) return warm
      all.delete(warm)
    }
    if (all.size < maxWorkers) return start()
    if (waiting.length >= maxWaiting) {
      throw new ServiceError(
        'overloaded',
        'Cannot read the file now: too many others are waiting',
        { retryAfter: 5 },
      )
    }
    return new Promise((resolve, reject) => {
      const leave = () => {
        waiting.splice(waiting.indexOf(waiter), 1)
        reject(toGivenUp())
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
    if (next || thread.isDead) return
    idle.push(thread)
    thread.rest(idleMs, () => {
      idle.splice(idle.indexOf(thread), 1)
      all.delete(thread)
    })
  }
  const run: Isolate['run'] = async (task, input, limits) => {
    if (limits.signal?.aborted) throw toGivenUp()
    const thread = await acquire(limits.signal)
    try {
      // What a task answers is known to the task alone: the caller names its type.
      return (await thread.run({ task, input }, limits)) as never
    } finally {
      // A warm thread would hold the memory of a large file until it collects its garbage.
      if (hasLargeBytes(input)) void thread.kill(toClosing())
      release(thread)
    }
  }
  const close = async (): Promise<void> => {
    isClosed = true
    for (const { reject } of waiting.splice(0)) reject(toClosing())
    await Promise.all([...all].map((thread) => thread.kill(toClosing())))
    all.clear()
    idle.length = 0
  }
  return { run, close }
}

/** One thread, busy with at most one task. */
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
    this.ready = this.next().then(() => undefined)
    // Awaited only by the first task; a failure is that task's to report.
    this.ready.catch(() => undefined)
    this.worker.on('message', (reply: TaskReply) => this.settle?.(reply))
    this.worker.on('error', (error: Error) => this.die(error))
    this.worker.on('exit', () => this.die(new Error('The thread ended')))
  }

  async run(
    request: TaskRequest,
    limits: { readonly timeoutMs: number; readonly signal?: AbortSignal | undefined },
  ): Promise<unknown> {
    clearTimeout(this.restTimer)
    this.worker.ref()
    const stop = () => void this.kill(toGivenUp())
    limits.signal?.addEventListener('abort', stop, { once: true })
    let timer: ReturnType<typeof setTimeout> | undefined
    try {
      await this.ready
      if (limits.signal?.aborted) throw toGivenUp()
      const late = `The file takes more than ${limits.timeoutMs} ms to read`
      timer = setTimeout(
        () => void this.kill(new ServiceError('too_expensive', late)),
        limits.timeoutMs,
      )
      const { input, buffers } = toBuffers(request.input)
      let reply = await this.ask({ ...request, input }, buffers)
      // Only the task counts: how soon its result is received depends on the rest of the process.
      clearTimeout(timer)
      const parts: Extract<TaskReply, { readonly kind: 'part' }>[] = []
      while (reply.kind === 'part') {
        parts.push(reply)
        reply = await this.ask(NEXT)
      }
      if (reply.kind === 'failed') {
        throw new ServiceError(reply.code, reply.message, { extra: reply.extra ?? {} })
      }
      return reply.kind === 'done' ? joinParts(reply.value, parts) : undefined
    } finally {
      clearTimeout(timer)
      limits.signal?.removeEventListener('abort', stop)
    }
  }

  /** Lets the process end, and ends the thread itself after `idleMs`. */
  rest(idleMs: number, onEnd: () => void): void {
    this.worker.unref()
    this.restTimer = setTimeout(() => {
      onEnd()
      void this.kill(toClosing())
    }, idleMs)
    if (typeof this.restTimer === 'object') this.restTimer.unref()
  }

  /** Ends the thread; what it works on is rejected with the reason. */
  async kill(reason: ServiceError): Promise<void> {
    this.die(reason)
    clearTimeout(this.restTimer)
    await this.worker.terminate()
  }

  /** `buffers` are handed over: they are empty here from then on. */
  private ask(
    message: TaskRequest | typeof NEXT,
    buffers: readonly ArrayBuffer[] = [],
  ): Promise<TaskReply> {
    const answer = this.next()
    this.worker.postMessage(message, buffers)
    return answer
  }

  private next(): Promise<TaskReply> {
    return new Promise((resolve, reject) => {
      if (this.isDead) return reject(new ServiceError('too_expensive', 'The thread ended'))
      this.settle = (reply) => {
        this.settle = undefined
        if (reply instanceof Error) reject(reply)
        else resolve(reply)
      }
    })
  }

  private die(error: Error): void {
    this.isDead = true
    this.settle?.(
      error instanceof ServiceError
        ? error
        : new ServiceError('too_expensive', 'The file takes too much memory to read', {
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

/** Of values that a parse allocates, most stay: more room for those that don't gains no time. */
const YOUNG_MB = 16

/** Reading a file of this size takes many times what starting a thread takes. */
const LARGE_BYTES = 1024 * 1024

/** A task that waits for a thread. */
interface Waiter {
  readonly resolve: (thread: Thread) => void
  readonly reject: (error: ServiceError) => void
}

function toClosing(): ServiceError {
  return new ServiceError('overloaded', 'The service is closing')
}

function toGivenUp(): ServiceError {
  return new ServiceError('too_expensive', 'The import was given up')
}

/** The worker's entry beside this file: `.ts` in the sources, `.js` in the build. */
function ownEntry(): URL {
  const ending = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
  return new URL(`./import-worker.${ending}`, import.meta.url)
}
