import { Buffer } from 'node:buffer'
import { connect, type Socket } from 'node:net'

/** A response as received on the wire. */
export interface RawResponse {
  readonly status: number
  /** Lower-case names; several of one name joined with `, `. */
  readonly headers: Readonly<Record<string, string>>
  /** Body without framing; one character per byte. */
  readonly body: string
  /** False if the connection ended before the body. */
  readonly isComplete: boolean
}

/** A connection that sends raw bytes and reads responses one by one. */
export interface RawConnection {
  readonly socket: Socket
  /** Sends one byte per character. */
  send(data: string | Uint8Array): void
  /** Reads the next final response, skipping 1xx; `method` decides whether it can have a body. */
  readResponse(method?: string): Promise<RawResponse>
  /** Reads the next head of any status, but not the body. */
  readHead(): Promise<Omit<RawResponse, 'body' | 'isComplete'>>
  /** Waits for the end of the connection. Resolves with all unread data. */
  readToEnd(): Promise<string>
  /** Destroys the connection. */
  close(): void
}

interface Input {
  text: string
  isEnded: boolean
  wake: () => void
}

const TIMEOUT_MS = 15_000

/** Connects to a local server. Reads time out after 15 s. */
export async function openRaw(url: string): Promise<RawConnection> {
  const { hostname, port } = new URL(url)
  const socket = connect({ port: Number(port), host: hostname })
  const input: Input = { text: '', isEnded: false, wake: () => undefined }
  const end = () => {
    input.isEnded = true
    input.wake()
  }
  socket.on('data', (chunk: Uint8Array) => {
    input.text += Buffer.from(chunk).toString('latin1')
    input.wake()
  })
  socket.on('end', end)
  socket.on('close', end)
  // A reset counts as the end: tests check the data received before it.
  socket.on('error', end)
  await new Promise<void>((resolve) =>
    socket.once('connect', resolve).once('error', () => resolve()),
  )

  async function until<T>(read: () => T | undefined): Promise<T> {
    const deadline = Date.now() + TIMEOUT_MS
    for (;;) {
      const result = read()
      if (result !== undefined) return result
      if (Date.now() > deadline) throw new Error(`No answer in time: ${input.text.slice(0, 200)}`)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, 200)
        input.wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
  }

  function readHead() {
    return until(() => {
      const end = input.text.indexOf('\r\n\r\n')
      if (end < 0) {
        if (input.isEnded) throw new Error(`No response: ${JSON.stringify(input.text)}`)
        return undefined
      }
      const head = parseHead(input.text.slice(0, end))
      input.text = input.text.slice(end + 4)
      return head
    })
  }

  return {
    socket,
    readHead,
    send: (data) =>
      void socket.write(typeof data === 'string' ? Buffer.from(data, 'latin1') : data),
    async readResponse(method = 'GET') {
      let head = await readHead()
      while (head.status < 200) head = await readHead()
      const isBodiless = method === 'HEAD' || head.status === 204 || head.status === 304
      if (isBodiless) return { ...head, body: '', isComplete: true }
      const rest = await until(() => takeBody(input, head.headers))
      return { ...head, ...rest }
    },
    readToEnd: () => until(() => (input.isEnded ? input.text : undefined)),
    close: () => void socket.destroy(),
  }
}

/** Sends one request on a new connection and reads one response. */
export async function rawRequest(url: string, request: string | Uint8Array): Promise<RawResponse> {
  const connection = await openRaw(url)
  try {
    connection.send(request)
    const text = typeof request === 'string' ? request : Buffer.from(request).toString('latin1')
    return await connection.readResponse(text.slice(0, text.indexOf(' ')))
  } finally {
    connection.close()
  }
}

function parseHead(text: string) {
  const [first = '', ...lines] = text.split('\r\n')
  const headers: Record<string, string> = {}
  for (const line of lines) {
    const colon = line.indexOf(':')
    const name = line.slice(0, colon).toLowerCase()
    const value = line.slice(colon + 1).trim()
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`
  }
  return { status: Number(first.split(' ')[1]), headers }
}

function takeBody(
  input: { text: string; readonly isEnded: boolean },
  headers: Readonly<Record<string, string>>,
): Pick<RawResponse, 'body' | 'isComplete'> | undefined {
  const taken =
    headers['transfer-encoding'] === 'chunked'
      ? parseChunks(input.text)
      : parseCounted(input.text, headers['content-length'])
  if (taken) {
    input.text = input.text.slice(taken.length)
    return { body: taken.body, isComplete: true }
  }
  if (!input.isEnded) return undefined
  return {
    body: input.text,
    isComplete:
      headers['content-length'] === undefined && headers['transfer-encoding'] === undefined,
  }
}

function parseCounted(text: string, length: string | undefined) {
  if (length === undefined || text.length < Number(length)) return undefined
  return { body: text.slice(0, Number(length)), length: Number(length) }
}

function parseChunks(text: string) {
  let at = 0
  let body = ''
  for (;;) {
    const end = text.indexOf('\r\n', at)
    if (end < 0) return undefined
    const size = Number.parseInt(text.slice(at, end), 16)
    const next = end + 2 + size + 2
    if (text.length < next) return undefined
    body += text.slice(end + 2, end + 2 + size)
    if (size === 0) return { body, length: next }
    at = next
  }
}
