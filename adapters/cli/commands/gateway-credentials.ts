import type { Command } from 'commander'
import { CREDENTIAL_KINDS, type CredentialKind } from '../../../core/index.ts'
import { UsageError } from '../errors.ts'
import { readSecret } from '../gateway-secret.ts'
import { formatTable, type Io } from '../io.ts'
import { type GlobalOptions, withAccount } from '../service.ts'

interface AccountOptions extends GlobalOptions {
  readonly account: string
}

interface SetOptions extends AccountOptions {
  readonly api?: string
  readonly vendor?: string
  readonly kind: string
  readonly name?: string
  readonly secretFile?: string
  readonly username?: string
  readonly clientId?: string
  readonly tokenUrl?: string
  readonly scope?: string
  readonly origin?: readonly string[]
}

/** Adds `gateway credentials set|list|remove`. */
export function addCredentialCommands(gateway: Command, io: Io): void {
  const credentials = gateway
    .command('credentials')
    .description("Store, list and remove an account's credentials for target APIs")
    .addHelpText(
      'after',
      '\nExamples:\n  api-discovery gateway credentials set --account ci --api QGbkBUa4 --kind bearer < token.txt\n  api-discovery gateway credentials list --account ci',
    )

  credentials
    .command('set')
    .description('Store an encrypted credential; its secret is read from standard input or a file')
    .requiredOption('--account <name>', 'account name or ID')
    .option('--api <id>', 'send it to this API (encrypted_id or numeric ID)')
    .option('--vendor <name>', 'send it to all APIs of this vendor')
    .requiredOption('--kind <kind>', CREDENTIAL_KINDS.join(', '))
    .option('--name <name>', 'name of the header, cookie or parameter')
    .option('--secret-file <file>', 'file with the key, token, password or client secret')
    .option('--username <name>', 'for BasicAuth: user name (default: the secret is name:password)')
    .option('--client-id <id>', 'for OAuth2: client ID')
    .option('--token-url <url>', 'for OAuth2: URL of the token endpoint')
    .option('--scope <scopes>', 'for OAuth2: scopes to request, space-separated')
    .option(
      '--origin <origin...>',
      'origins that the credential may be sent to (default: the origin of the servers; required if there are several)',
    )
    .addHelpText(
      'after',
      `
Examples:
  api-discovery gateway credentials set --account ci --api QGbkBUa4 --kind header \\
    --name X-Api-Key < key.txt
  api-discovery gateway credentials set --account ci --vendor "Acme Weather" --kind BasicAuth \\
    --username ada --secret-file password.txt`,
    )
    .action(async (_, command: Command) => {
      const options = command.optsWithGlobals<SetOptions>()
      const kind = parseCredentialKind(options.kind)
      if ((options.api === undefined) === (options.vendor === undefined)) {
        throw new UsageError('Cannot store the credential: it needs either --api or --vendor')
      }
      const secret = await readSecret(io, options.secretFile)
      await withAccount(io, options, async ({ app, caller }) => {
        const body = {
          api_id: options.api,
          vendor: options.vendor,
          kind,
          name: options.name,
          username: options.username,
          ...toSecretMembers(kind, { secret, username: options.username }),
          client_id: options.clientId,
          token_url: options.tokenUrl,
          scope: options.scope,
          origins: options.origin === undefined ? undefined : [...options.origin],
        }
        const stored = await app.call('putCredential', { body }, caller)
        if (options.json) return io.result(JSON.stringify(stored))
        io.result(stored.credential_id)
        io.note(describeDestinations(stored))
      })
    })

  credentials
    .command('list')
    .description('List credentials without their secrets')
    .requiredOption('--account <name>', 'account name or ID')
    .addHelpText(
      'after',
      '\nExamples:\n  api-discovery gateway credentials list --account ci\n  api-discovery gateway credentials list --account ci --json',
    )
    .action(async (_, command: Command) => {
      const options = command.optsWithGlobals<AccountOptions>()
      await withAccount(io, options, async ({ app, caller }) => {
        const found = await app.call('listCredentials', {}, caller)
        if (options.json) return io.result(JSON.stringify(found))
        if (found.credentials.length === 0)
          return io.note(
            'No credentials in this account yet. Add one: api-discovery gateway credentials set --help',
          )
        io.result(
          formatTable(
            ['ID', 'FOR', 'KIND', 'NAME', 'SENT TO', 'UPDATED'],
            found.credentials.map((each) => [
              each.credential_id,
              each.vendor ?? `API ${each.api_id}`,
              each.kind,
              each.name || '-',
              each.origins.join(' ') || '-',
              each.updated_at,
            ]),
          ),
        )
      })
    })

  credentials
    .command('remove')
    .argument('<credential-id>', 'credential ID, as shown by "gateway credentials list"')
    .description('Delete a credential permanently')
    .requiredOption('--account <name>', 'account name or ID')
    .addHelpText(
      'after',
      '\nExamples:\n  api-discovery gateway credentials remove crd_… --account ci\n  api-discovery gateway credentials remove crd_… --account ci --json',
    )
    .action(async (credentialId: string, _, command: Command) => {
      const options = command.optsWithGlobals<AccountOptions>()
      await withAccount(io, options, async ({ app, caller }) => {
        await app.call('removeCredential', { credential_id: credentialId }, caller)
        if (options.json) io.result(JSON.stringify({ id: credentialId, done: 'remove' }))
      })
    })
}

function describeDestinations(stored: {
  readonly origins: readonly string[]
  readonly token_url: string
}): string {
  const origins = stored.origins.join(', ') || 'no origin'
  if (stored.token_url === '') return `The credential is sent only to ${origins}.`
  return `The client secret is sent only to ${stored.token_url}, and its access tokens only to ${origins}.`
}

function parseCredentialKind(text: string): CredentialKind {
  const kind = CREDENTIAL_KINDS.find((each) => each.toLowerCase() === text.toLowerCase())
  if (kind !== undefined) return kind
  throw new UsageError(
    `Cannot use the kind "${text}": it must be one of ${CREDENTIAL_KINDS.join(', ')}`,
  )
}

/**
 * Maps the secret to the members of its kind. Without `--username`, a BasicAuth secret is
 * `name:password`: some APIs accept a key as a user name without a password.
 */
function toSecretMembers(
  kind: CredentialKind,
  { secret, username }: { readonly secret: string; readonly username: string | undefined },
) {
  if (kind === 'OAuth2') return { client_secret: secret }
  if (kind !== 'BasicAuth') return { value: secret }
  if (username !== undefined) return { password: secret }
  const [, name = '', password = ''] = /^([^:]*):?(.*)$/s.exec(secret) ?? []
  return { username: name, password }
}
