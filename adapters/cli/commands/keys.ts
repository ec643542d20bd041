import type { Command } from 'commander'
import { type KeySummary, SCOPES } from '../../../core/index.ts'
import { formatTable, type Io } from '../io.ts'
import { parseDurationOption, parseScopes } from '../scopes.ts'
import { type GlobalOptions, type OpenService, withService } from '../service.ts'

interface KeyOptions extends GlobalOptions {
  readonly account: string
}

/** Adds `keys create|list|read|rotate|revoke`. */
export function addKeyCommands(program: Command, io: Io): void {
  const keys = program
    .command('keys')
    .description('Create, list, rotate and revoke API keys')
    .addHelpText(
      'after',
      '\nExamples:\n  api-discovery keys create --account ci --scopes read,ingest\n  api-discovery keys list --account ci',
    )

  keys
    .command('create')
    .description('Create an API key and print only the key to standard output')
    .requiredOption('--account <name>', 'account name or ID')
    .option('--name <name>', 'purpose of the key', 'default')
    .option('--scopes <list>', `comma-separated scopes: ${SCOPES.join(', ')}`, 'read')
    .option('--expires <duration>', 'lifetime: 90d, 12h, 30m (default: never expires)')
    .addHelpText(
      'after',
      '\nExamples:\n  api-discovery keys create --account ci --name nightly\n  KEY=$(api-discovery keys create --account ci --scopes read,import --expires 90d)',
    )
    .action(async (_, command: Command) => {
      const options = command.optsWithGlobals<
        KeyOptions & { readonly name: string; readonly scopes: string; readonly expires?: string }
      >()
      const scopes = parseScopes(options.scopes)
      const expiresInMs =
        options.expires === undefined ? undefined : parseDurationOption(options.expires)
      await withService(io, { ...options, mustExist: true }, async ({ app }) => {
        const account = await app.accounts.getAccount(options.account)
        const created = await app.accounts.createKey({
          account,
          name: options.name,
          scopes,
          expiresInMs,
        })
        io.result(
          options.json ? JSON.stringify({ key: created.key, ...created.record }) : created.key,
        )
      })
    })

  keys
    .command('list')
    .description('List keys without their secret values')
    .option('--account <name>', 'account name or ID (default: all accounts)')
    .addHelpText(
      'after',
      '\nExamples:\n  api-discovery keys list --account ci\n  api-discovery keys list --json',
    )
    .action(async (_, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { readonly account?: string }>()
      await withService(io, { ...options, mustExist: true }, async ({ app }) => {
        const { account: name } = options
        const account = name === undefined ? undefined : await app.accounts.getAccount(name)
        const list = await app.accounts.listKeys(account)
        if (options.json) return io.result(JSON.stringify(list))
        if (list.length === 0) {
          return io.note('No keys yet. Create one: api-discovery keys create --account NAME')
        }
        io.result(
          formatTable(['ID', 'ACCOUNT', 'NAME', 'KEY', 'SCOPES', 'STATE'], list.map(formatKeyRow)),
        )
      })
    })

  addKeyCommand(keys, io, {
    name: 'read',
    description: 'Print a key again from its encrypted copy',
    act: ({ app }, reference) => app.accounts.readKey(reference),
  })
  addKeyCommand(keys, io, {
    name: 'revoke',
    description: 'Revoke a key permanently; it stops working within a second',
    act: ({ app }, reference) => app.accounts.revokeKey(reference),
  })

  keys
    .command('rotate')
    .argument('<key-id>', 'key ID, as shown by "keys list"')
    .description(
      'Replace a key and print the new one; the old key remains valid during the overlap',
    )
    .requiredOption('--account <name>', 'account name or ID')
    .option('--overlap <duration>', 'remaining lifetime of the old key', '24h')
    .addHelpText(
      'after',
      '\nExamples:\n  api-discovery keys rotate key_… --account ci\n  api-discovery keys rotate key_… --account ci --overlap 1h',
    )
    .action(async (keyId: string, _, command: Command) => {
      const options = command.optsWithGlobals<KeyOptions & { readonly overlap: string }>()
      const overlapMs = parseDurationOption(options.overlap)
      await withService(io, { ...options, mustExist: true }, async ({ app }) => {
        const account = await app.accounts.getAccount(options.account)
        const created = await app.accounts.rotateKey({ account, keyId, overlapMs })
        io.result(
          options.json ? JSON.stringify({ key: created.key, ...created.record }) : created.key,
        )
      })
    })
}

function addKeyCommand(
  keys: Command,
  io: Io,
  definition: {
    readonly name: string
    readonly description: string
    readonly act: (
      service: OpenService,
      reference: { readonly account: KeySummary['account']; readonly keyId: string },
    ) => Promise<unknown>
  },
): void {
  keys
    .command(definition.name)
    .argument('<key-id>', 'key ID, as shown by "keys list"')
    .description(definition.description)
    .requiredOption('--account <name>', 'account name or ID')
    .addHelpText(
      'after',
      `\nExamples:\n  api-discovery keys ${definition.name} key_… --account ci\n  api-discovery keys ${definition.name} key_… --account ci --json`,
    )
    .action(async (keyId: string, _, command: Command) => {
      const options = command.optsWithGlobals<KeyOptions>()
      await withService(io, { ...options, mustExist: true }, async (service) => {
        const account = await service.app.accounts.getAccount(options.account)
        const key = await definition.act(service, { account, keyId })
        if (typeof key === 'string') io.result(options.json ? JSON.stringify({ key }) : key)
        else if (options.json) io.result(JSON.stringify({ id: keyId, done: definition.name }))
      })
    })
}

function formatKeyRow(key: KeySummary): readonly string[] {
  return [key.id, key.account.name, key.name, key.hint, key.scopes.join(','), describeKeyState(key)]
}

function describeKeyState({ revokedAt, expiresAt }: KeySummary): string {
  if (revokedAt !== undefined) return `revoked ${new Date(revokedAt).toISOString()}`
  if (expiresAt === undefined) return 'active'
  const day = new Date(expiresAt).toISOString()
  return expiresAt <= Date.now() ? `expired ${day}` : `active until ${day}`
}
