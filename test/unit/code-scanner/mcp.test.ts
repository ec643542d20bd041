import { describe, expect, it } from 'vitest'
import { createPackageTable } from '../../../core/code-scanner/packages/table.ts'
import { scanProject } from '../../../core/code-scanner/scan-project.ts'

const table = createPackageTable()

/** Scans one file. Returns `line vendor kind url package`. */
async function showServers(path: string, text: string): Promise<readonly string[]> {
  const { findings } = await scanProject({
    files: [{ path, text }],
    grammars: undefined,
    catalogue: { match: () => undefined },
    ...table,
  })
  return findings.map(({ line, vendorName, kind, url, package: name }) =>
    [line, vendorName ?? '-', kind ?? '-', url, name ?? '-'].join(' '),
  )
}

const toJson = (value: unknown) => JSON.stringify(value, null, 1)

describe('MCP servers in the configuration of a client', () => {
  it.each([
    [
      '.mcp.json',
      toJson({ mcpServers: { linear: { type: 'http', url: 'https://mcp.linear.app/mcp' } } }),
      ['5 Linear mcp-server https://mcp.linear.app/mcp -'],
    ],
    [
      '.vscode/mcp.json.example',
      toJson({
        servers: { linear: { command: 'npx', args: ['mcp-remote', 'https://mcp.linear.app/mcp'] } },
      }),
      ['7 Linear mcp-server https://mcp.linear.app/mcp -'],
    ],
    [
      '.cursor/mcp.json',
      toJson({
        mcpServers: {
          github: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-github@2025.4.8'] },
        },
      }),
      ['7 GitHub mcp-server https://api.github.com pkg:npm/@modelcontextprotocol/server-github'],
    ],
    [
      '.vscode/mcp.json',
      '{\n // tools\n "servers": { "github": { "command": "docker", "args": ["run", "-i", "-e", "TOKEN", "ghcr.io/github/github-mcp-server:latest"] } } }',
      ['3 GitHub mcp-server https://api.github.com pkg:docker/ghcr.io/github/github-mcp-server'],
    ],
    [
      '.vscode/settings.json',
      toJson({
        mcp: {
          servers: { sentry: { command: 'uvx', args: ['mcp-server-sentry', '--auth-token', 'x'] } },
        },
      }),
      ['7 Sentry mcp-server https://{}.ingest.sentry.io pkg:pypi/mcp-server-sentry'],
    ],
    [
      'claude_desktop_config.json',
      toJson({
        mcpServers: {
          notion: { command: 'npx', args: ['mcp-remote', 'https://mcp.notion.com/mcp'] },
        },
      }),
      ['7 Notion mcp-server https://mcp.notion.com/mcp -'],
    ],
    [
      '.gemini/settings.json',
      toJson({ mcpServers: { docs: { httpUrl: 'https://mcp.context7.com/mcp' } } }),
      ['4 Upstash mcp-server https://mcp.context7.com/mcp -'],
    ],
    [
      '.zed/settings.json',
      toJson({
        context_servers: {
          slack: { command: { path: 'npx', args: ['-y', '@modelcontextprotocol/server-slack'] } },
        },
      }),
      ['8 Slack mcp-server https://slack.com/api pkg:npm/@modelcontextprotocol/server-slack'],
    ],
    [
      'opencode.json',
      toJson({ mcp: { exa: { type: 'local', command: ['npx', '-y', 'exa-mcp-server'] } } }),
      ['8 Exa mcp-server https://api.exa.ai pkg:npm/exa-mcp-server'],
    ],
    [
      '.codex/config.toml',
      '[mcp_servers.tavily]\ncommand = "npx"\nargs = ["-y", "tavily-mcp@latest"]\n',
      ['3 Tavily mcp-server https://api.tavily.com pkg:npm/tavily-mcp'],
    ],
    [
      '.continue/mcpServers/mcp.yaml',
      'mcpServers:\n  - name: files\n    command: npx\n    args:\n      - "@modelcontextprotocol/server-filesystem"\n  - name: search\n    command: npx\n    args:\n      - "@modelcontextprotocol/server-brave-search"\n',
      [
        '9 Brave Search mcp-server https://api.search.brave.com/res/v1 pkg:npm/@modelcontextprotocol/server-brave-search',
      ],
    ],
  ])('are usages of their hosts and vendors: %s', async (path, text, wanted) => {
    expect(await showServers(path, text)).toEqual(wanted)
  })

  it.each([
    [
      'of the project and the machine',
      '.mcp.json',
      toJson({
        mcpServers: {
          own: { url: 'http://localhost:3000/mcp' },
          files: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-filesystem', '.'] },
          script: { command: 'node', args: ['server.js', 'stripe'] },
        },
      }),
    ],
    [
      'in tests',
      'tests/mcp.json',
      toJson({ mcpServers: { a: { command: 'npx', args: ['tavily-mcp'] } } }),
    ],
    [
      'in other settings',
      'settings.json',
      toJson({ servers: { a: { command: 'npx', args: ['tavily-mcp'] } } }),
    ],
  ])('are no usages: %s', async (_, path, text) => {
    expect(await showServers(path, text)).toEqual([])
  })
})
