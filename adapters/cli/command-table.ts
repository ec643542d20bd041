import type { Command } from 'commander'
import type { CommandDefinition } from './define-command.ts'
import type { CommandIo } from './io.ts'

/** Commands of one module. */
interface CommandModule {
  /** Description by command name, for the command list. */
  readonly names: Readonly<Record<string, string>>
  /** Imports the definitions of the commands. */
  readonly load: () => Promise<readonly CommandDefinition[]>
}

/** Every command, in the order of the help text. */
const COMMANDS: readonly CommandModule[] = [
  {
    names: {
      serve: 'Serve the HTTP API and the web console',
    },
    load: async () => [(await import('./commands/serve.ts')).serveCommand],
  },
  {
    names: {
      import: 'Import Swagger and OpenAPI descriptions, MCP and A2A cards',
    },
    load: async () => [(await import('./commands/import.ts')).importCommand],
  },
  {
    names: {
      search: 'Search APIs and endpoints',
      match: 'Find the catalogued endpoint that a URL belongs to',
    },
    load: async () => {
      const module = await import('./commands/search.ts')
      return [module.searchCommand, module.matchCommand]
    },
  },
  {
    names: {
      show: 'Show an API with servers and terms, or an endpoint with its parameters',
      endpoints: 'List the endpoints of an API with their IDs',
    },
    load: async () => {
      const module = await import('./commands/catalogue.ts')
      return [module.showCommand, module.endpointsCommand]
    },
  },
  {
    names: {
      sync: 'Load vulnerability data from NVD, the CVE Program, CISA KEV and EPSS',
    },
    load: async () => [(await import('./commands/sync.ts')).syncCommands],
  },
  {
    names: {
      vendors: 'Add and list vendors',
    },
    load: async () => [(await import('./commands/vendors.ts')).vendorCommands],
  },
  {
    names: {
      agreements: 'Show and add licences, terms, policies and prices of APIs',
    },
    load: async () => [(await import('./commands/agreements.ts')).agreementCommands],
  },
  {
    names: {
      assess: 'Assess an API, or check an API or a project against a policy',
    },
    load: async () => [(await import('./commands/assess.ts')).assessCommand],
  },
  {
    names: {
      vulnerabilities: 'Search the vulnerability database that "sync" loads',
    },
    load: async () => [(await import('./commands/vulnerabilities.ts')).vulnerabilityCommands],
  },
  {
    names: {
      accounts: 'Create and list accounts',
    },
    load: async () => [(await import('./commands/accounts.ts')).accountCommands],
  },
  {
    names: {
      keys: 'Create, list, rotate and revoke API keys',
    },
    load: async () => [(await import('./commands/keys.ts')).keyCommands],
  },
  {
    names: {
      users: 'Create, invite and manage console users',
    },
    load: async () => [(await import('./commands/users.ts')).userCommands],
  },
  {
    names: {
      bom: 'Export, validate, convert, merge and compare bills of materials (BOMs)',
    },
    load: async () => [(await import('./commands/bom.ts')).bomCommands],
  },
  {
    names: {
      export: 'Export the catalogue for other registries and developer portals',
    },
    load: async () => [(await import('./commands/export.ts')).exportCommands],
  },
  {
    names: {
      call: 'Call an API operation in process and print the response as JSON',
      openapi: 'Print the OpenAPI document of this service',
    },
    load: async () => {
      const module = await import('./commands/call.ts')
      return [module.callCommand, module.openApiCommand]
    },
  },
  {
    names: {
      gateway: 'Call a catalogued endpoint and print the response as it arrives',
    },
    load: async () => [(await import('./commands/gateway.ts')).gatewayCommand],
  },
  {
    names: {
      benchmark: 'Run rate-limit tests of catalogued endpoints, with consent and a request budget',
    },
    load: async () => [(await import('./commands/benchmark.ts')).benchmarkCommands],
  },
  {
    names: {
      mcp: 'Serve tools for agents over standard input and output (MCP)',
    },
    load: async () => [(await import('./commands/mcp.ts')).mcpCommand],
  },
  {
    names: {
      scan: 'Find the third-party APIs that a project or a network uses',
    },
    load: async () => [(await import('./commands/scan.ts')).scanCommands],
  },
  {
    names: {
      scans: 'List, show, review and delete stored scans of projects and networks',
    },
    load: async () => [(await import('./commands/scans.ts')).storedScanCommands],
  },
  {
    names: {
      jobs: 'List, cancel and run background jobs',
    },
    load: async () => [(await import('./commands/jobs.ts')).jobCommands],
  },
  {
    names: {
      migrate: 'Create the database or update its schema',
      backup: 'Write a consistent copy of a live SQLite database',
      secret: 'Manage the secret that encrypts keys and credentials',
    },
    load: async () => {
      const module = await import('./commands/maintenance.ts')
      return [module.migrateCommand, module.backupCommand, module.secretCommands]
    },
  },
  {
    names: {
      completion: 'Print a shell completion script',
    },
    load: async () => [(await import('./commands/completion.ts')).completionCommand],
  },
]

/**
 * Adds all commands. Loads only the modules of commands that occur in `words`, or every module for
 * `'all'`. Other commands get a name and a description for the command list.
 */
export async function addCommands(
  program: Command,
  { io, words }: { readonly io: CommandIo; readonly words: readonly string[] | 'all' },
): Promise<void> {
  const wanted = words === 'all' ? undefined : findCommandName(words)
  for (const { names, load } of COMMANDS) {
    if (words === 'all' || (wanted !== undefined && Object.hasOwn(names, wanted))) {
      for (const add of await load()) add(program, io)
      continue
    }
    for (const [name, description] of Object.entries(names)) {
      program.command(name).description(description)
    }
  }
}

/** Returns the first word that is neither an option, nor its value, nor `help`. */
function findCommandName(words: readonly string[]): string | undefined {
  return words.find(
    (word, index) =>
      !word.startsWith('-') && word !== 'help' && !OPTIONS_WITH_VALUE.has(words[index - 1] ?? ''),
  )
}

const OPTIONS_WITH_VALUE = new Set(['--database'])
