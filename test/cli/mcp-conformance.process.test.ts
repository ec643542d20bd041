import { spawn } from 'node:child_process'
import process from 'node:process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeFolder, type TestFolder } from '../helpers/folder.ts'
import { openBridge } from '../helpers/mcp-bridge.ts'
import { RUNTIME, startScript } from '../helpers/script.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const HOST = fileURLToPath(new URL('../helpers/mcp-host-child.ts', import.meta.url))
const RUNNER = fileURLToPath(
  new URL('../../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url),
)

/** The answers of these clients come in another request, which no stateless server can wait for. */
const QUESTIONS_OVER_HTTP = [
  ...['tools-call-sampling', 'tools-call-elicitation'],
  ...['elicitation-sep1034-defaults', 'elicitation-sep1330-enums'],
]
/** Requirements on headers and status codes. */
const HTTP_ONLY = ['server-stateless', 'dns-rebinding-protection']

let folder: TestFolder

beforeAll(async () => {
  folder = await makeFolder()
})

afterAll(() => folder.remove())

/** Runs all scenarios that a version of the protocol requires, and returns the failed ones. */
async function runScenarios(url: string, version: string) {
  const words = [RUNNER, 'server', '--url', `${url}/mcp`, '--requirements', version]
  const child = spawn('node', words, {
    cwd: folder.pathOf('.'),
    env: { ...process.env, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const report = await text(child.stdout)
  const [scored = '', others = ''] =
    report.split('=== SUMMARY ===').at(-1)?.split('Not scored') ?? []
  const optional = toNames(others, /^ {2}[✓✗] (\S+)/gm)
  const isRequired = (name: string) => !optional.includes(name)
  return {
    failed: toNames(scored, /^✗ ([^\s:]+)/gm).filter(isRequired),
    passed: toNames(scored, /^✓ ([^\s:]+)/gm).filter(isRequired).length,
  }
}

const toNames = (report: string, line: RegExp) =>
  Array.from(report.matchAll(line), ([, name = '']) => name)

describe('The official conformance runner', () => {
  it.each([
    ['2026-07-28', [], 37],
    ['2025-11-25', QUESTIONS_OVER_HTTP, 26],
  ])('passes over HTTP: %s', async (version, failed, passed) => {
    const host = await startScript([HOST, 'http'], { cwd: ROOT })
    const results = await runScenarios(host.url, version)
    await host.end()
    expect({ ...results, failed: results.failed.sort() }).toEqual({ failed: failed.sort(), passed })
  })

  it.each([
    ['2026-07-28', HTTP_ONLY, 35],
    ['2025-11-25', ['dns-rebinding-protection'], 29],
  ])('passes over standard input: %s', async (version, failed, passed) => {
    const words = RUNTIME === 'deno' ? ['run', '-A', HOST, 'stdio'] : [HOST, 'stdio']
    const first = version === '2026-07-28' ? FIRST : undefined
    const bridge = await openBridge(process.execPath, words, first)
    const results = await runScenarios(bridge.url, version)
    await bridge.close()
    expect({ ...results, failed: results.failed.sort() }).toEqual({ failed: failed.sort(), passed })
  })
})

const FIRST = {
  jsonrpc: '2.0',
  id: 0,
  method: 'tools/list',
  params: {
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  },
}
