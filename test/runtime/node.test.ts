import { serveNode } from '../../adapters/runtime/node.ts'
import { describeRuntime } from '../conformance/runtime.ts'

describeRuntime('node:http', async (handler, times) => ({
  ...(await serveNode(handler, { port: 0, ...times })),
  deliversGetBody: true,
  hasTimeouts: true,
  keepsLength: true,
  destroysAtDeadline: true,
  differences: 'Deno' in globalThis ? DENO_DIFFERENCES : {},
}))

/** Deno's parser does not limit chunk extensions. */
const DENO_DIFFERENCES = { 'a long chunk extension': 'POST /echo' }
