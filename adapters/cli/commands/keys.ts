import type { CreatedKey, KeySummary } from '../../../core/accounts/index.ts'
import { SCOPES } from '../../../core/index.ts'
import { type CommandOutput, defineCommand, defineServiceCommand } from '../define-command.ts'
import { parseDurationOption, parseScopes } from '../scopes.ts'

const KEY_ID = ['<key-id>', 'key ID, as shown by "keys list"'] as const

/** `keys create|list|read|revoke|rotate`. */
export const keyCommands = defineCommand({
  name: 'keys',
  description: 'Create, list, rotate and revoke API keys',
  examples: ['keys create --account ci --scopes read,ingest', 'keys list --account ci'],
  commands: [
    defineServiceCommand({
      name: 'create',
      description: 'Create an API key and print only the key to standard output',
      account: 'required',
      options: [
        ['--name <name>', 'purpose of the key', { default: 'default' }],
        [
          '--scopes <list>',
          `comma-separated scopes: ${SCOPES.join(', ')}`,
          { parse: parseScopes, suggestions: SCOPES, default: 'read' },
        ],
        [
          '--expires <duration>',
          'lifetime: 90d, 12h, 30m (default: never expires)',
          { parse: parseDurationOption },
        ],
      ],
      examples: [
        'keys create --account ci --name nightly',
        'KEY=$(api-discovery keys create --account ci --scopes read,import --expires 90d)',
      ],
      async run({ app, caller: { account }, options: { name, scopes, expires: expiresInMs } }) {
        return toKeyOutput(await app.accounts.createKey({ account, name, scopes, expiresInMs }))
      },
    }),
    defineServiceCommand({
      name: 'list',
      description: 'List keys without their secret values',
      account: 'all',
      examples: ['keys list --account ci', 'keys list --json'],
      async run({ app, account }) {
        const list = await app.accounts.listKeys(account)
        return {
          json: list,
          table: {
            headings: ['ID', 'ACCOUNT', 'NAME', 'KEY', 'SCOPES', 'STATE'],
            rows: list.map(formatKeyRow),
            empty: 'No keys yet. Create one: api-discovery keys create --account NAME',
          },
        }
      },
    }),
    defineServiceCommand({
      name: 'read',
      description: 'Print a key again from its encrypted copy',
      arguments: [KEY_ID],
      account: 'required',
      examples: ['keys read key_… --account ci', 'keys read key_… --account ci --json'],
      async run({ app, caller: { account }, words: [keyId] }) {
        const key = await app.accounts.readKey({ account, keyId })
        return { json: { key }, text: key }
      },
    }),
    defineServiceCommand({
      name: 'revoke',
      description: 'Revoke a key permanently; it stops working within a second',
      arguments: [KEY_ID],
      account: 'required',
      examples: ['keys revoke key_… --account ci', 'keys revoke key_… --account ci --json'],
      async run({ app, caller: { account }, words: [keyId] }) {
        await app.accounts.revokeKey({ account, keyId })
        return { json: { id: keyId, done: 'revoke' } }
      },
    }),
    defineServiceCommand({
      name: 'rotate',
      description:
        'Replace a key and print the new one; the old key remains valid during the overlap',
      arguments: [KEY_ID],
      account: 'required',
      options: [
        [
          '--overlap <duration>',
          'remaining lifetime of the old key',
          { parse: parseDurationOption, default: '24h' },
        ],
      ],
      examples: ['keys rotate key_… --account ci', 'keys rotate key_… --account ci --overlap 1h'],
      async run({ app, caller: { account }, words: [keyId], options: { overlap: overlapMs } }) {
        return toKeyOutput(await app.accounts.rotateKey({ account, keyId, overlapMs }))
      },
    }),
  ],
})

function toKeyOutput({ key, record }: CreatedKey): CommandOutput {
  return { json: { key, ...record }, text: key }
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
