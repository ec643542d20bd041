import process from 'node:process'
import type { McpServer } from '@modelcontextprotocol/server'
import { createServer, type ServedTools } from '../../adapters/mcp/create-server.ts'
import { createMcpEndpoint } from '../../adapters/mcp/handler.ts'
import { openHttpServer } from '../../adapters/mcp/open-server.ts'
import { serveOverStdio } from '../../adapters/mcp/serve-stdio.ts'
import { TOOLS } from '../../adapters/mcp/tools.ts'
import { serve } from '../../adapters/runtime/serve.ts'
import type { Caller } from '../../core/shared/account.ts'
import { addFeatures } from './mcp-features.ts'
import { openTestService } from './service.ts'

// Serves agents without keys, over HTTP (`http`, prints the address) or standard input (`stdio`).
let caller: Caller | undefined
const service = await openTestService({ app: { authenticate: async () => caller } })
caller = service.caller
const { app } = service

const create = (served: ServedTools): McpServer => addFeatures(createServer(served))
if (process.argv[2] === 'stdio') {
  await serveOverStdio({ app, caller, tools: TOOLS, onError: () => undefined }, create)
  await service.close()
} else {
  const options = { allowedHosts: ['127.0.0.1', 'localhost', '[::1]'] }
  const mcp = createMcpEndpoint(app, options, async () => openHttpServer(app, undefined, create))
  const running = await serve(mcp.handle, { host: '127.0.0.1', port: 0 })
  process.stdout.write(`${running.url}\n`)
}
