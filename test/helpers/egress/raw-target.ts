import { createServer, type Socket } from 'node:net'

export interface RawTarget {
  readonly port: number
  readonly url: string
  /** Request lines in order. */
  readonly requests: string[]
  /** Complete messages as text. */
  readonly messages: string[]
  /** Number of accepted connections. */
  connections(): number
  close(): Promise<void>
}

/** A target that responds with the bytes of the test. */
export async function startRawTarget(
  answer: (socket: Socket, request: { readonly path: string; readonly text: string }) => void,
): Promise<RawTarget> {
  const sockets = new Set<Socket>()
  const requests: string[] = []
  const messages: string[] = []
  let connections = 0
  const server = createServer((socket) => {
    connections += 1
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    socket.on('data', (data) => {
      const text = data.toString('latin1')
      const [, line = '', path = ''] = /^(\S+ (\S+)[^\r]*)\r\n/.exec(text) ?? []
      if (!/^[A-Z]+ \/.* HTTP\/1\.1$/.test(line)) return
      requests.push(line)
      messages.push(text)
      answer(socket, { path, text })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    requests,
    messages,
    connections: () => connections,
    close() {
      for (const socket of sockets) socket.destroy()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

/** Builds `HTTP/1.1 200 OK` with a body and its length. */
export function ok(body: string, ...headers: readonly string[]): string {
  const lines = ['HTTP/1.1 200 OK', `Content-Length: ${body.length}`, ...headers]
  return `${lines.join('\r\n')}\r\n\r\n${body}`
}
