import { serveNode } from '../../adapters/runtime/node.ts'
import { describeRuntime } from '../conformance/runtime.ts'

describeRuntime('node:http', async (handler, times) => ({
  ...(await serveNode(handler, { port: 0, ...times })),
  deliversGetBody: true,
  hasTimeouts: true,
  keepsLength: true,
  destroysAtDeadline: true,
}))
