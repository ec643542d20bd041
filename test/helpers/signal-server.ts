import { closeOnSignals, serve } from '../../adapters/runtime/serve.ts'

// Prints its address, responds to `/slow` after half a second, and exits after a signal.
const [listener] = process.argv.slice(2)
const server = await serve(
  async () => {
    await new Promise((resolve) => setTimeout(resolve, 500))
    return { status: 200, headers: {}, body: 'late' }
  },
  { port: 0, listener: listener === 'native' ? 'native' : 'node' },
)
process.stdout.write(`${server.url}\n`)
const signal = await closeOnSignals(server)
process.stdout.write(`closed by ${signal}\n`)
process.exit(0)
