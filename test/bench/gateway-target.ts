import { Buffer } from 'node:buffer'
import { createServer, type Socket } from 'node:net'
import process from 'node:process'

// The target of test/bench/gateway.ts, as cheap as possible. Prints its ports as a JSON list.
// `/v1/items/…` returns 1 KB of JSON, `/v1/big` 50 MB; `/v1/stall` never responds.
//   node test/bench/gateway-target.ts PORTS

/** Size of the large response in bytes. */
export const BIG_BYTES = 50 * 1024 * 1024

const ITEM = JSON.stringify({ id: 42, name: 'item', text: 'x'.repeat(990) })
const SMALL = Buffer.from(
  `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${ITEM.length}\r\netag: "1"\r\n\r\n${ITEM}`,
)
const BIG_HEAD = `HTTP/1.1 200 OK\r\ncontent-type: application/octet-stream\r\ncontent-length: ${BIG_BYTES}\r\n\r\n`
const PIECE = Buffer.alloc(64 * 1024, 'x')

function answerRequests(socket: Socket): void {
  let seen = ''
  socket.setNoDelay(true)
  socket.on('error', () => socket.destroy())
  socket.on('data', (bytes: Buffer) => {
    seen += bytes.toString('latin1')
    const end = seen.indexOf('\r\n\r\n')
    if (end < 0) return
    const head = seen.slice(0, end)
    const length = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0)
    const isChunked = /\r\ntransfer-encoding: *chunked/i.test(head)
    if (isChunked ? !seen.endsWith('0\r\n\r\n') : seen.length < end + 4 + length) return
    seen = ''
    answer(socket, head.slice(head.indexOf(' ') + 1, head.indexOf(' HTTP/')))
  })
}

function answer(socket: Socket, target: string): void {
  if (target.startsWith('/v1/stall')) return
  if (!target.startsWith('/v1/big')) return void socket.write(SMALL)
  socket.write(BIG_HEAD)
  let left = BIG_BYTES
  const fill = () => {
    while (left > 0) {
      const piece = left < PIECE.length ? PIECE.subarray(0, left) : PIECE
      left -= piece.length
      if (!socket.write(piece)) return
    }
    socket.off('drain', fill)
  }
  socket.on('drain', fill)
  fill()
}

function listenOnFreePort(): Promise<number> {
  const server = createServer(answerRequests)
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      resolve(typeof address === 'object' && address ? address.port : 0)
    })
  })
}

const [, file, count] = process.argv
if (file?.endsWith('gateway-target.ts') && count !== undefined) {
  const ports = await Promise.all(Array.from({ length: Number(count) }, listenOnFreePort))
  process.stdout.write(`${JSON.stringify(ports)}\n`)
}
