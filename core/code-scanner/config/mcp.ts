import { readAssignments } from '../formats/assignments.ts'
import type { Entry } from '../formats/entries.ts'
import { readJson } from '../formats/json.ts'
import { readYaml } from '../formats/yaml.ts'
import type { RawFinding } from '../model/finding.ts'
import { anyOf } from '../model/name-patterns.ts'
import { createPlaceFinder } from '../model/places.ts'
import type { DependencyFinder, TextReader } from '../model/text-reader.ts'
import { isTestPath } from '../noise/path-roles.ts'

/** A server of the Model Context Protocol: its address, or the command that starts it. */
export interface McpServer {
  readonly command: readonly McpValue[]
  readonly urls: readonly McpValue[]
}

/** A text at a location: an index, or a line and column. */
interface McpValue {
  readonly value: string
  readonly index: number
}

/**
 * Finds the servers of the Model Context Protocol (MCP) that editors and agents of the project use:
 * remote ones by their URLs, local ones by the vendor that their package or image is for.
 */
export const mcpReader: TextReader = {
  fits: (path) => FILES.test(path),
  read({ path, text }, options) {
    if (text.length > MAX_LENGTH || !/mcp|context_servers/i.test(`${path}${text}`)) return []
    if (isTestPath(path)) return []
    const read = /\.ya?ml\b/i.test(path)
      ? readYaml
      : /\.toml\b/i.test(path)
        ? readAssignments
        : readJson
    const placeOf = createPlaceFinder(text)
    return toServers(path, read(text)).flatMap((server) =>
      toMcpUsages(server, options).map(({ index, ...usage }): RawFinding => {
        const place = placeOf(index)
        return { file: path, ...place, method: undefined, via: 'config', confidence: 0.9, ...usage }
      }),
    )
  },
}

/** Configuration of MCP clients: files named after MCP, and settings that contain a section of it. */
const FILES = new RegExp(
  String.raw`(?:^|\/)${anyOf`
    [\w.-]*mcp[\w.-]* settings config claude_desktop_config opencode crush librechat \.claude
  `}\.(?:jsonc?|toml|ya?ml)(?:\.(?:example|sample|dist))?$`,
  'i',
)

const MAX_LENGTH = 500_000

/** A usage of a server's vendor at an index of the text. */
export interface McpUsage {
  readonly index: number
  readonly url: string
  readonly kind: 'mcp-server'
  readonly package: string | undefined
}

/** Returns the remote hosts of a server, and the vendor of a local one. */
function toMcpUsages(
  { command, urls }: McpServer,
  { findDependency }: DependencyFinder,
): readonly McpUsage[] {
  const kind = 'mcp-server'
  const remote = [...urls, ...command].flatMap(({ value, index }): readonly McpUsage[] => {
    if (!/^(?:https?|wss?):\/\/[^\s/]/i.test(value)) return []
    const url = value.replaceAll(/\$?\{\{?[^{}]*\}\}?|\$\w+/g, '{}')
    return [{ index, url, kind, package: undefined }]
  })
  for (const { name, index } of listPackages(command)) {
    const use = findDependency?.(name)
    if (use) return [...remote, { index, url: use.url, kind, package: name }]
  }
  return remote
}

/** Lists the packages and images that a command may start. */
function listPackages(
  command: readonly McpValue[],
): readonly { readonly name: string; readonly index: number }[] {
  const words = command.flatMap(({ value, index }) =>
    value.split(/\s+/).map((word) => ({ word: word.replace(/^--package=/, ''), index })),
  )
  const at = words.findIndex(({ word }) => RUNNERS.has(toProgram(word)))
  const type = at < 0 ? undefined : RUNNERS.get(toProgram(words[at]?.word ?? ''))
  const rest = words.slice(at + 1).filter(({ word }) => !/^-|^\/c$/.test(word) && !VERBS.has(word))
  if (type === 'docker') {
    return rest.map(({ word, index }) => ({
      name: `pkg:docker/${word.replace(/[:@][^/]*$/, '')}`,
      index,
    }))
  }
  const [first] = rest
  if (!first) return []
  const bare = first.word.replace(/(?<=.)@[^/]*$|[=<>~].*$|\[.*$/, '')
  const types = type === undefined ? ['npm', 'pypi'] : [type]
  return types.map((each) => ({ name: `pkg:${each}/${bare}`, index: first.index }))
}

function toProgram(word: string): string {
  return word.replace(/^.*[\\/]/, '').replace(/\.(?:exe|cmd)$/i, '')
}

/** Programs that start a package or an image. */
const RUNNERS: ReadonlyMap<string, 'npm' | 'pypi' | 'docker'> = new Map([
  ...['npx', 'npm', 'bunx', 'bun', 'pnpm', 'pnpx', 'yarn', 'deno'].map(
    (name) => [name, 'npm'] as const,
  ),
  ...['uvx', 'uv', 'pipx', 'python', 'python3'].map((name) => [name, 'pypi'] as const),
  ...['docker', 'podman'].map((name) => [name, 'docker'] as const),
])

/** Words between a runner and the name of a package. */
const VERBS: ReadonlySet<string> = new Set(['exec', 'dlx', 'run', 'x', 'tool', 'cmd'])

/** Groups the entries below a section of MCP servers by server. */
function toServers(path: string, entries: readonly Entry[]): readonly McpServer[] {
  const servers = new Map<string, { command: McpValue[]; urls: McpValue[] }>()
  const isOwnFile = /mcp[^/]*$/i.test(path)
  let item = 0
  for (const { keys, value, index } of entries) {
    const start = keys.findIndex(
      (key, at) =>
        SECTIONS.has(key) ||
        (key === 'servers' && (keys[at - 1] === 'mcp' || (isOwnFile && at === 0))) ||
        (key === 'mcp' && keys[at + 1] !== 'servers' && keys.length > at + 2),
    )
    if (start < 0) continue
    const [name = '', ...fields] = keys.slice(start + 1)
    const isItem = FIELDS.test(name)
    // Servers in a list have no key: each begins with its name.
    if (isItem && name === 'name') item += 1
    const id = isItem ? `${item}` : name
    const server = servers.get(id) ?? { command: [], urls: [] }
    servers.set(id, server)
    const field = (isItem ? name : fields[0]) ?? 'args'
    if (/^(?:command|args|path|cmd)$/.test(field)) server.command.push({ value, index })
    else if (/^(?:(?:http|server_?)?url|uri|endpoint)$/i.test(field))
      server.urls.push({ value, index })
  }
  return [...servers.values()]
}

const SECTIONS: ReadonlySet<string> = new Set(['mcpServers', 'mcp_servers', 'context_servers'])

const FIELDS = /^(?:name|type|transport|command|args|url|serverUrl|env|description)$/
