import type { Command } from 'commander'
import { CREDENTIAL_KINDS, type CredentialKind } from '../../../core/index.ts'
import { UsageError } from '../errors.ts'
import { readSecret } from '../gateway-secret.ts'
import { type Io, toTable } from '../io.ts'
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
    .description("Store, list and remove an account's credentials for targets.")
    .addHelpText(
      'after',
      '\nExample:\n  api-discovery gateway credentials set --account ci --api QGbkBUa4 --kind bearer < token.txt',
    )

  credentials
    .command('set')
    .description('Store a credential, sealed; its secret comes from standard input or a file.')
    .requiredOption('--account <name>', 'name or id of the account')
    .option('--api <id>', 'for this API: encrypted_id or numeric id')
    .option('--vendor <name>', 'for all APIs of this vendor')
    .requiredOption('--kind <kind>', CREDENTIAL_KINDS.join(', '))
    .option('--name <name>', 'of the header, cookie or parameter')
    .option('--secret-file <file>', 'file with the key, token, password or client secret')
    .option('--username <name>', 'for BasicAuth; when absent, the secret is name:password')
    .option('--client-id <id>', 'for OAuth2')
    .option('--token-url <url>', 'for OAuth2: where tokens are asked for')
    .option('--scope <scopes>', 'for OAuth2: scopes to ask for, separated by blanks')
    .option(
      '--origin <origin...>',
      'origins it may be sent to; needed where the present servers have several',
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
      const kind = parseKind(options.kind)
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
        io.note(toDestination(stored))
      })
    })

  credentials
    .command('list')
    .description('List credentials, never their secrets.')
    .requiredOption('--account <name>', 'name or id of the account')
    .addHelpText('after', '\nExample:\n  api-discovery gateway credentials list --account ci')
    .action(async (_, command: Command) => {
      const options = command.optsWithGlobals<AccountOptions>()
      await withAccount(io, options, async ({ app, caller }) => {
        const found = await app.call('listCredentials', {}, caller)
        if (options.json) return io.result(JSON.stringify(found))
        if (found.credentials.length === 0) return io.note('The account has no credentials yet.')
        io.result(
          toTable(
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
    .argument('<credential-id>', 'id of the credential, as "list" shows it')
    .description('Remove a credential for good.')
    .requiredOption('--account <name>', 'name or id of the account')
    .addHelpText(
      'after',
      '\nExample:\n  api-discovery gateway credentials remove cred_… --account ci',
    )
    .action(async (credentialId: string, _, command: Command) => {
      const options = command.optsWithGlobals<AccountOptions>()
      await withAccount(io, options, async ({ app, caller }) => {
        await app.call('removeCredential', { credential_id: credentialId }, caller)
        if (options.json) io.result(JSON.stringify({ id: credentialId, done: 'remove' }))
      })
    })
}

function toDestination(stored: {
  readonly origins: readonly string[]
  readonly token_url: string
}): string {
  const origins = stored.origins.join(', ') || 'no origin'
  if (stored.token_url === '') return `It is sent to ${origins}, and nowhere else.`
  return `The client secret is sent to ${stored.token_url}, the access tokens that come from there to ${origins}; both nowhere else.`
}

function parseKind(text: string): CredentialKind {
  const kind = CREDENTIAL_KINDS.find((each) => each.toLowerCase() === text.toLowerCase())
  if (kind !== undefined) return kind
  throw new UsageError(
    `Cannot use the kind "${text}": it must be one of ${CREDENTIAL_KINDS.join(', ')}`,
  )
}

/** Some targets take a key as the name of a user without a password: it is no option either. */
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
