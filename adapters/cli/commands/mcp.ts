import process from 'node:process'
import { defineServiceCommand } from '../define-command.ts'
import { EGRESS_OPTIONS } from '../egress-options.ts'
import { CommandError } from '../errors.ts'
import { toPrintable } from '../io.ts'
import { scanProjectTool } from '../scan-tool.ts'

/** `mcp`. */
export const mcpCommand = defineServiceCommand({
  name: 'mcp',
  description: 'Serve tools for agents over standard input and output (MCP)',
  account: 'operator',
  options: EGRESS_OPTIONS,
  examples: ['mcp', 'mcp --account team-a --database sqlite:/var/lib/apis.db'],
  details: `
Agents start this command themselves. Over HTTP, "serve" has the same tools at /mcp.`,
  createsDatabase: true,
  async run({ io, app, caller }) {
    const { serveOverStdio, TOOLS } = await loadServer()
    await serveOverStdio({
      app,
      caller: { ...caller, source: 'agent' },
      tools: [...TOOLS, scanProjectTool],
      onError: (error) => io.note(toPrintable(String(error))),
    })
    // A stopped input can keep the process alive on some runtimes.
    process.stdin.destroy()
    return undefined
  },
})

async function loadServer() {
  try {
    const [{ serveOverStdio }, { TOOLS }] = await Promise.all([
      import('../../mcp/serve-stdio.ts'),
      import('../../mcp/tools.ts'),
    ])
    return { serveOverStdio, TOOLS }
  } catch (error) {
    if (!String(error).includes('@modelcontextprotocol/server')) throw error
    throw new CommandError(
      'Cannot serve agents: the package @modelcontextprotocol/server is not installed. Run "npm i @modelcontextprotocol/server"',
    )
  }
}
