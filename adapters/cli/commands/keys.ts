import type { Command } from 'commander'
import { type KeySummary, SCOPES } from '../../../core/index.ts'
import { type Io, toTable } from '../io.ts'
import { parseScopes, toMs } from '../scopes.ts'
import { type GlobalOptions, type OpenService, withService } from '../service.ts'

interface KeyOptions extends GlobalOptions {
  readonly account: string
}

/** Adds `keys create|list|read|rotate|revoke`. */
export function addKeyCommands(program: Command, io: Io): void {
  const keys = program
    .command('keys')
    .description('Create, list, rotate and revoke API keys.')
    .addHelpText(
      'after',
      '\nExamples:\n  api-discovery keys create --account ci --scopes read,ingest\n  api-discovery keys list --account ci',
    )

  keys
    .command('create')
    .description('Create an API key and print it, alone, on standard output.')
    .requiredOption('--account <name>', 'name or id of the account')
    .option('--name <name>', 'what the key is for', 'default')
    .option('--scopes <list>', `comma-separated: ${SCOPES.join(', ')}`, 'read')
    .option('--expires <duration>', 'time until it expires: 90d, 12h, 30m; never when absent')
    .addHelpText(
      'after',
      '\nExample:\n  KEY=$(api-discovery keys create --account ci --scopes read,import --expires 90d)',
    )
    .action(async (_, command: Command) => {
      const options = command.optsWithGlobals<
        KeyOptions & { readonly name: string; readonly scopes: string; readonly expires?: string }
      >()
      const scopes = parseScopes(options.scopes)
      const expiresInMs = options.expires === undefined ? undefined : toMs(options.expires)
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
    .description('List keys, never the keys themselves.')
    .option('--account <name>', 'only the keys of this account')
    .addHelpText('after', '\nExample:\n  api-discovery keys list --account ci')
    .action(async (_, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { readonly account?: string }>()
      await withService(io, { ...options, mustExist: true }, async ({ app }) => {
        const { account: name } = options
        const account = name === undefined ? undefined : await app.accounts.getAccount(name)
        const list = await app.accounts.listKeys(account)
        if (options.json) return io.result(JSON.stringify(list))
        if (list.length === 0) {
          return io.note('There are no keys yet: api-discovery keys create --account NAME')
        }
        io.result(toTable(['ID', 'ACCOUNT', 'NAME', 'KEY', 'SCOPES', 'STATE'], list.map(toRow)))
      })
    })

  addReferenceCommand(keys, io, {
    name: 'read',
    description: 'Print a key again, from its sealed copy.',
    act: ({ app }, reference) => app.accounts.readKey(reference),
  })
  addReferenceCommand(keys, io, {
    name: 'revoke',
    description: 'Revoke a key for good; it stops working within a second.',
    act: ({ app }, reference) => app.accounts.revokeKey(reference),
  })

  keys
    .command('rotate')
    .argument('<key-id>', 'id of the key, as "keys list" shows it')
    .description('Make a successor of a key and print it; the old key works on for the overlap.')
    .requiredOption('--account <name>', 'name or id of the account')
    .option('--overlap <duration>', 'how long the old key works on', '24h')
    .addHelpText('after', '\nExample:\n  api-discovery keys rotate key_… --account ci --overlap 1h')
    .action(async (keyId: string, _, command: Command) => {
      const options = command.optsWithGlobals<KeyOptions & { readonly overlap: string }>()
      const overlapMs = toMs(options.overlap)
      await withService(io, { ...options, mustExist: true }, async ({ app }) => {
        const account = await app.accounts.getAccount(options.account)
        const created = await app.accounts.rotateKey({ account, keyId, overlapMs })
        io.result(
          options.json ? JSON.stringify({ key: created.key, ...created.record }) : created.key,
        )
      })
    })
}

function addReferenceCommand(
  keys: Command,
  io: Io,
  given: {
    readonly name: string
    readonly description: string
    readonly act: (
      service: OpenService,
      reference: { readonly account: KeySummary['account']; readonly keyId: string },
    ) => Promise<unknown>
  },
): void {
  keys
    .command(given.name)
    .argument('<key-id>', 'id of the key, as "keys list" shows it')
    .description(given.description)
    .requiredOption('--account <name>', 'name or id of the account')
    .addHelpText('after', `\nExample:\n  api-discovery keys ${given.name} key_… --account ci`)
    .action(async (keyId: string, _, command: Command) => {
      const options = command.optsWithGlobals<KeyOptions>()
      await withService(io, { ...options, mustExist: true }, async (service) => {
        const account = await service.app.accounts.getAccount(options.account)
        const key = await given.act(service, { account, keyId })
        if (typeof key === 'string') io.result(options.json ? JSON.stringify({ key }) : key)
        else if (options.json) io.result(JSON.stringify({ id: keyId, done: given.name }))
      })
    })
}

function toRow(key: KeySummary): readonly string[] {
  return [key.id, key.account.name, key.name, key.hint, key.scopes.join(','), toState(key)]
}

function toState({ revokedAt, expiresAt }: KeySummary): string {
  if (revokedAt !== undefined) return `revoked ${new Date(revokedAt).toISOString()}`
  if (expiresAt === undefined) return 'active'
  const day = new Date(expiresAt).toISOString()
  return expiresAt <= Date.now() ? `expired ${day}` : `active until ${day}`
}
