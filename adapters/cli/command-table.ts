import type { Command } from 'commander'
import type { CommandIo } from './io.ts'

/** Commands that one module adds. */
interface CommandRow {
  /** Descriptions by name, as the list of commands shows them. */
  readonly names: Readonly<Record<string, string>>
  /** Loads what adds them, with all their options. */
  readonly load: () => Promise<(program: Command, io: CommandIo) => void>
}

/** Every command, in the order of the help text. */
const COMMANDS: readonly CommandRow[] = [
  {
    names: {
      serve: 'Serve the HTTP API, and the console for people.',
    },
    load: async () => (await import('./commands/serve.ts')).addServeCommand,
  },
  {
    names: {
      import: 'Import Swagger and OpenAPI descriptions.',
    },
    load: async () => (await import('./commands/import.ts')).addImportCommand,
  },
  {
    names: {
      search: 'Find APIs and endpoints.',
      match:
        'Tell which catalogued endpoint a URL belongs to; exit code 1 when no catalogued API has its host.',
    },
    load: async () => (await import('./commands/search.ts')).addSearchCommands,
  },
  {
    names: {
      show: 'Show an API: facts, servers, authentication, terms and number of endpoints',
      endpoints: 'List the endpoints of an API with their IDs',
    },
    load: async () => (await import('./commands/catalogue.ts')).addCatalogueCommands,
  },
  {
    names: {
      sync: 'Load vulnerabilities: NVD, CISA known exploited vulnerabilities, EPSS scores.',
    },
    load: async () => (await import('./commands/sync.ts')).addSyncCommands,
  },
  {
    names: {
      vendors: 'Enter and list vendors.',
    },
    load: async () => (await import('./commands/vendors.ts')).addVendorCommands,
  },
  {
    names: {
      agreements: 'Show and enter licences, terms, policies and prices of APIs.',
    },
    load: async () => (await import('./commands/agreements.ts')).addAgreementCommands,
  },
  {
    names: {
      assess: 'Tell what is good or bad about an API, or judge an API or a project by a policy.',
    },
    load: async () => (await import('./commands/assess.ts')).addAssessCommand,
  },
  {
    names: {
      vulnerabilities: 'Search the vulnerability database, which "sync" fills.',
    },
    load: async () => (await import('./commands/vulnerabilities.ts')).addVulnerabilityCommands,
  },
  {
    names: {
      accounts: 'Create and list accounts.',
    },
    load: async () => (await import('./commands/accounts.ts')).addAccountCommands,
  },
  {
    names: {
      keys: 'Create, list, rotate and revoke API keys.',
    },
    load: async () => (await import('./commands/keys.ts')).addKeyCommands,
  },
  {
    names: {
      users: 'Let people log in to the console, and say what they may do there.',
    },
    load: async () => (await import('./commands/users.ts')).addUserCommands,
  },
  {
    names: {
      bom: 'Write, check, convert, merge and compare bills of materials.',
    },
    load: async () => (await import('./commands/bom.ts')).addBomCommands,
  },
  {
    names: {
      call: 'Call an operation in process and print its answer as JSON.',
      openapi: "Print the service's own OpenAPI document.",
    },
    load: async () => (await import('./commands/call.ts')).addCallCommands,
  },
  {
    names: {
      gateway: 'Call a catalogued endpoint; its answer is printed as it comes.',
    },
    load: async () => (await import('./commands/gateway.ts')).addGatewayCommands,
  },
  {
    names: {
      benchmark: 'Test whether catalogued APIs resist too many calls: with consent, in a budget.',
    },
    load: async () => (await import('./commands/benchmark.ts')).addBenchmarkCommands,
  },
  {
    names: {
      scan: 'Find the third-party APIs that a project or a network uses.',
    },
    load: async () => (await import('./commands/scan.ts')).addScanCommands,
  },
  {
    names: {
      scans: 'Stored scans of projects and networks: list, show, review and delete them.',
    },
    load: async () => (await import('./commands/scans.ts')).addScansCommands,
  },
  {
    names: {
      jobs: 'Work that outlives a request: list, cancel and do it.',
    },
    load: async () => (await import('./commands/jobs.ts')).addJobCommands,
  },
  {
    names: {
      migrate: 'Create the database or bring its schema up to date.',
      backup: 'Write a consistent copy of a live SQLite database.',
      secret: "Manage the service's secret.",
    },
    load: async () => (await import('./commands/maintenance.ts')).addMaintenanceCommands,
  },
  {
    names: {
      completion: 'Print a script that completes commands and options in a shell.',
    },
    load: async () => (await import('./commands/completion.ts')).addCompletionCommand,
  },
]

/**
 * Adds the commands. Only those that `words` name are loaded: of the others, which the list of
 * commands shows, name and description are enough. `all` loads each of them.
 */
export async function addCommands(
  program: Command,
  { io, words }: { readonly io: CommandIo; readonly words: readonly string[] | 'all' },
): Promise<void> {
  const wanted = words === 'all' ? undefined : findCommand(words)
  for (const { names, load } of COMMANDS) {
    if (words === 'all' || (wanted !== undefined && Object.hasOwn(names, wanted))) {
      const add = await load()
      add(program, io)
      continue
    }
    for (const [name, description] of Object.entries(names)) {
      program.command(name).description(description)
    }
  }
}

/** The first word that is neither an option, nor its value, nor `help`. */
function findCommand(words: readonly string[]): string | undefined {
  return words.find(
    (word, index) =>
      !word.startsWith('-') && word !== 'help' && !WITH_VALUE.has(words[index - 1] ?? ''),
  )
}

const WITH_VALUE = new Set(['--database'])
