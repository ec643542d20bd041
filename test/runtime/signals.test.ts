import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { openRaw } from '../helpers/raw-http.ts'

const SCRIPT = fileURLToPath(new URL('../helpers/signal-server.ts', import.meta.url))

describe('a signal', () => {
  for (const listener of ['node', 'native']) {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      it(`${signal} waits for the running request of a ${listener} listener, then ends the process`, async () => {
        const runtime = 'Deno' in globalThis ? ['run', '-A'] : []
        const child = spawn(process.execPath, [...runtime, SCRIPT, listener], {
          stdio: ['ignore', 'pipe', 'inherit'],
        })
        let output = ''
        child.stdout.on('data', (chunk) => {
          output += String(chunk)
        })
        const ended = new Promise((resolve) => child.once('exit', resolve))
        for (let attempt = 0; attempt < 500 && !output.includes('\n'); attempt += 1) await pause()
        const connection = await openRaw(output.trim())
        connection.send('GET /slow HTTP/1.1\r\nHost: a\r\n\r\n')
        await pause()
        await pause()
        child.kill(signal)
        expect((await connection.readResponse()).body).toBe('late')
        // Deno reports no exit code of a signalled child, even if it exited by itself.
        expect((await ended) ?? 0).toBe(0)
        expect(output.split('\n')[1]).toBe(`closed by ${signal}`)
        connection.close()
      })
    }
  }
})

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 20))
}
