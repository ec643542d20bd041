import type { ClientRequest, IncomingMessage } from 'node:http'
import { ServiceError } from '../../core/errors.ts'
import {
  EgressError,
  type EgressFailure,
  type EgressLimits,
  type EgressRequest,
  type EgressResponse,
} from '../../core/ports/egress.ts'
import type { ConnectionPool, PooledConnection } from './connection-pool.ts'
import { readDirectly } from './direct-body.ts'
import { sendOverConnection } from './exchange.ts'
import {
  classifyParserError,
  isContentless,
  isIdempotent,
  toFlatHeaders,
  toHeaderLines,
} from './messages.ts'
import { openAny } from './open-any.ts'
import { BodyWatch, PinnedResponse, translateErrors } from './pinned-response.ts'
import type { EgressTarget, EgressTargets } from './targets.ts'
import type { Watch, Watched } from './watch.ts'

/** Dependencies that calls share. */
export interface CallDeps {
  readonly watch: Watch
  readonly targets: EgressTargets
  readonly connections: ConnectionPool
  readonly limits: EgressLimits
}

/** One request, to the end of its response body. Time limits are exact to a tick of the watch. */
export class Call implements Watched {
  slot = -1
  readonly promise: Promise<EgressResponse>
  readonly #deps: CallDeps
  readonly #limits: EgressLimits
  readonly #totalEnds: number
  #phaseEnds = 0
  #phase: 'connect' | 'head' | 'body' | 'over' = 'connect'
  readonly #request: EgressRequest
  #mayReuse = true
  /** True once any part of the request was sent. */
  #hasSent = false
  #target: EgressTarget | undefined
  #path = ''
  #headers: readonly string[] = []
  #connection: PooledConnection | undefined
  /** Bytes that the connection had received before this request. */
  #bytesBefore = 0
  #outgoing: ClientRequest | undefined
  #body: BodyWatch | undefined
  #cancelOpening: (() => void) | undefined
  /** Why this side aborts the body. */
  #reason: Error | undefined
  #resolve: (answer: EgressResponse) => void = () => {}
  #reject: (error: unknown) => void = () => {}

  constructor(request: EgressRequest, deps: CallDeps) {
    this.#request = request
    this.#deps = deps
    this.#limits = request.limits ? { ...deps.limits, ...request.limits } : deps.limits
    this.#totalEnds = deps.watch.now() + this.#limits.totalMs
    this.promise = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
  }

  start(): void {
    const { signal } = this.#request
    signal?.addEventListener('abort', this.#onAbort)
    this.#deps.watch.add(this)
    if (signal?.aborted) this.#onAbort()
    else this.#begin()
  }

  check(now: number): void {
    const { totalMs, connectMs, firstByteMs } = this.#limits
    if (now >= this.#totalEnds) {
      this.#outOfTime(totalMs / 1000)
    } else if (this.#phase === 'body') {
      const fault = this.#body?.check(now)
      if (fault) this.#wrong(fault.failure, fault.reason)
    } else if (now < this.#phaseEnds) {
      return
    } else if (this.#phase === 'head') {
      this.#wrong('first_byte_timeout', `no response within ${firstByteMs / 1000} s`)
    } else {
      this.#wrong('connect_timeout', `no connection within ${connectMs / 1000} s`)
    }
  }

  /** Resolves and checks the target of the request, then connects. */
  #begin(): void {
    const fail = (error: unknown) => this.#fail(this.#asOwn(error))
    this.#phase = 'connect'
    this.#phaseEnds = this.#deps.watch.now() + this.#limits.connectMs
    try {
      const { target, path } = this.#deps.targets.find(this.#request.url)
      const { method, headers, body, address } = this.#request
      this.#target = target
      this.#path = path
      this.#headers = toFlatHeaders({ method, headers, body, authority: target.authority })
      const addresses = this.#deps.targets.resolve(target, address)
      if (!(addresses instanceof Promise)) this.#connect(target, addresses)
      else addresses.then((found) => this.#connect(target, found)).catch(fail)
    } catch (error) {
      fail(error)
    }
  }

  #connect(target: EgressTarget, addresses: readonly string[]): void {
    if (this.#phase !== 'connect') return
    // A request that must not be sent twice reuses only connections that were idle for a short time
    const { method, address } = this.#request
    const maxRestMs = isIdempotent(method) ? undefined : FRESH_MS
    const wanted = { maxRestMs, address }
    const kept = this.#mayReuse ? this.#deps.connections.acquire(target, wanted) : undefined
    if (kept) this.#sendOver(kept)
    else this.#open(target, addresses)
  }

  #open(target: EgressTarget, addresses: readonly string[]): void {
    this.#cancelOpening = openAny(this.#deps.connections, {
      target,
      addresses,
      withinMs: this.#phaseEnds - this.#deps.watch.now(),
      done: (result) => {
        this.#cancelOpening = undefined
        if (result instanceof Error) this.#fail(this.#asOwn(result))
        else this.#sendOver(result)
      },
    })
  }

  #sendOver(connection: PooledConnection): void {
    const { method, body } = this.#request
    this.#connection = connection
    this.#phase = 'head'
    this.#phaseEnds = this.#deps.watch.now() + this.#limits.firstByteMs
    this.#bytesBefore = connection.socket.bytesRead
    const isReused = connection.requestCount > 0
    connection.requestCount += 1
    this.#hasSent = true
    try {
      this.#outgoing = sendOverConnection({
        connection,
        method,
        path: this.#path,
        headers: this.#headers,
        body,
        maxHeaderBytes: this.#limits.maxHeaderBytes,
        onResponse: (incoming) => this.#onAnswer(incoming),
        onMalformed: (reason) => this.#wrong('malformed_answer', reason),
        onBroken: (error) => {
          const isPresent = this.#connection === connection
          if (this.#phase === 'head' && isPresent) this.#onBroken(error, isReused)
        },
      })
    } catch (error) {
      this.#fail(this.#asOwn(error))
    }
  }

  /** Handles a connection that broke before the response head. */
  #onBroken(error: Error, isReused: boolean): void {
    const { socket } = this.#connection ?? {}
    const hasAnswered = socket !== undefined && socket.bytesRead > this.#bytesBefore
    socket?.destroy()
    const wrong = classifyParserError(error, {
      hasAnswered,
      maxHeaderBytes: this.#limits.maxHeaderBytes,
    })
    if (wrong) {
      this.#wrong(wrong.failure, wrong.reason, error)
    } else if (isReused && isIdempotent(this.#request.method)) {
      // The server closed the idle connection, which may happen at any time (RFC 9110 9.2.2).
      this.#mayReuse = false
      this.#begin()
    } else {
      this.#wrong('connect_failed', 'the connection broke before the response', error)
    }
  }

  #onAnswer(incoming: IncomingMessage): void {
    const connection = this.#connection
    if (this.#phase !== 'head' || !connection) return void incoming.destroy()
    const status = incoming.statusCode ?? 0
    const { headers, length, maxIdleMs } = toHeaderLines(incoming.rawHeaders)
    if (maxIdleMs !== undefined) connection.maxIdleMs = Math.min(connection.maxIdleMs, maxIdleMs)
    if (status < 200 || status > 599) {
      this.#wrong('malformed_answer', `its status is ${status}`)
      return
    }
    const { url } = this.#request
    const { address } = connection
    const hasBody = this.#request.method !== 'HEAD' && !isContentless(status)
    if (hasBody && length !== undefined && length > this.#limits.maxBodyBytes) {
      this.#wrong('too_large', `its response is larger than ${this.#limits.maxBodyBytes} bytes`)
      return
    }
    if (!hasBody) {
      const answer = new PinnedResponse(incoming, { status, headers, url, address, length: 0 })
      incoming.on('close', () => this.#succeed(answer))
      incoming.resume()
      return
    }
    this.#phase = 'body'
    this.#body = new BodyWatch(incoming, {
      socket: connection.socket,
      limits: this.#limits,
      now: this.#deps.watch.now(),
    })
    translateErrors(incoming, this.#toBodyError)
    incoming.on('close', this.#onBodyClosed)
    const outgoing = this.#outgoing
    if (length !== undefined && outgoing) {
      readDirectly({ socket: connection.socket, outgoing, incoming, length })
    }
    this.#resolve(new PinnedResponse(incoming, { status, headers, url, address, length }))
  }

  /** Completes a response without a body. Excess bytes have already broken the connection. */
  #succeed(answer: EgressResponse): void {
    if (this.#phase === 'over') return
    if (this.#outgoing?.shouldKeepAlive && this.#connection?.socket.destroyed) {
      this.#wrong('malformed_answer', 'its response has a body where none is allowed')
      return
    }
    this.#end()
    this.#resolve(answer)
  }

  readonly #toBodyError = (error: Error): Error => {
    if (error === this.#reason || error instanceof EgressError) return error
    return this.#error('malformed_answer', 'its response is incomplete', error)
  }

  readonly #onBodyClosed = (): void => {
    // If the response ended before the request was sent, the upload could continue forever.
    if (this.#outgoing?.writableFinished === false && this.#request.body) {
      this.#connection?.socket.destroy()
    }
    this.#end()
  }

  readonly #onAbort = (): void => this.#fail(this.#request.signal?.reason)

  #fail(error: unknown): void {
    const phase = this.#phase
    this.#end()
    if (phase === 'body') {
      this.#reason = error instanceof Error ? error : new Error('aborted', { cause: error })
      this.#body?.incoming.destroy(this.#reason)
    } else if (phase !== 'over') {
      this.#cancelOpening?.()
      this.#connection?.socket.destroy()
      this.#reject(error)
    }
  }

  #end(): void {
    this.#phase = 'over'
    this.#deps.watch.remove(this)
    this.#request.signal?.removeEventListener('abort', this.#onAbort)
  }

  #outOfTime(seconds: number): void {
    if (this.#body?.isReaderWaiting === false) {
      this.#wrong('reader_too_slow', `its response was not read within ${seconds} s`)
    } else this.#wrong('total_timeout', `no complete response within ${seconds} s`)
  }

  #wrong(failure: EgressFailure, reason: string, cause?: unknown): void {
    this.#fail(this.#error(failure, reason, cause))
  }

  /** Converts to an error about the current target, with the correct `isUnsent`. */
  #asOwn(error: unknown): unknown {
    if (error instanceof EgressError) {
      if (!this.#hasSent || !error.isUnsent) return error
      return new EgressError(error.failure, error.message, { cause: error.cause })
    }
    if (error instanceof ServiceError) return error
    return this.#error('connect_failed', 'connection failed', error)
  }

  #error(failure: EgressFailure, reason: string, cause?: unknown): EgressError {
    return new EgressError(failure, `Cannot call ${this.#target?.origin}: ${reason}`, {
      isUnsent: !this.#hasSent,
      cause,
    })
  }
}

/** The server is unlikely to have closed a connection that was idle for a shorter time. */
const FRESH_MS = 1_000
