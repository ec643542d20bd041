import { CREDENTIAL_KINDS, type CredentialKind } from '../../../core/gateway/index.ts'
import { defineCommand, defineServiceCommand } from '../define-command.ts'
import { UsageError } from '../errors.ts'
import { readSecret } from '../gateway-secret.ts'

/** `gateway credentials set|list|remove`. */
export const credentialCommands = defineCommand({
  name: 'credentials',
  description: "Store, list and remove an account's credentials for target APIs",
  examples: [
    'gateway credentials set --account ci --api QGbkBUa4 --kind bearer < token.txt',
    'gateway credentials list --account ci',
  ],
  commands: [
    defineServiceCommand({
      name: 'set',
      description:
        'Store an encrypted credential; its secret is read from standard input or a file',
      account: 'required',
      options: [
        ['--api <id>', 'send it to this API (encrypted_id or numeric ID)'],
        ['--vendor <name>', 'send it to all APIs of this vendor'],
        [
          '--kind <kind>',
          CREDENTIAL_KINDS.join(', '),
          { parse: parseCredentialKind, suggestions: CREDENTIAL_KINDS, isRequired: true },
        ],
        ['--name <name>', 'name of the header, cookie or parameter'],
        ['--secret-file <file>', 'file with the key, token, password or client secret'],
        ['--username <name>', 'for BasicAuth: user name (default: the secret is name:password)'],
        ['--client-id <id>', 'for OAuth2: client ID'],
        ['--token-url <url>', 'for OAuth2: URL of the token endpoint'],
        ['--scope <scopes>', 'for OAuth2: scopes to request, space-separated'],
        [
          '--origin <origin...>',
          'origins that the credential may be sent to (default: the origin of the servers; required if there are several)',
        ],
      ],
      examples: [
        'gateway credentials set --account ci --api QGbkBUa4 --kind header \\\n    --name X-Api-Key < key.txt',
        'gateway credentials set --account ci --vendor "Acme Weather" --kind BasicAuth \\\n    --username ada --secret-file password.txt',
      ],
      prepare({ io, options }) {
        if ((options.api === undefined) === (options.vendor === undefined)) {
          throw new UsageError('Cannot store the credential: it needs either --api or --vendor')
        }
        return readSecret(io, options.secretFile)
      },
      async run({ app, caller, options, prepared: secret }) {
        const { api, vendor, kind, name, username, clientId, tokenUrl, scope, origin } = options
        const body = {
          ...{ api_id: api, vendor, kind, name, username },
          ...toSecretMembers(kind, { secret, username }),
          ...{ client_id: clientId, token_url: tokenUrl, scope },
          origins: origin === undefined ? undefined : [...origin],
        }
        const stored = await app.call('putCredential', { body }, caller)
        return { json: stored, text: stored.credential_id, note: describeDestinations(stored) }
      },
    }),
    defineServiceCommand({
      name: 'list',
      description: 'List credentials without their secrets',
      account: 'required',
      examples: [
        'gateway credentials list --account ci',
        'gateway credentials list --account ci --json',
      ],
      async run({ app, caller }) {
        const found = await app.call('listCredentials', {}, caller)
        return {
          json: found,
          table: {
            headings: ['ID', 'FOR', 'KIND', 'NAME', 'SENT TO', 'UPDATED'],
            rows: found.credentials.map((each) => [
              each.credential_id,
              each.vendor ?? `API ${each.api_id}`,
              each.kind,
              each.name || '-',
              each.origins.join(' ') || '-',
              each.updated_at,
            ]),
            empty:
              'No credentials in this account yet. Add one: api-discovery gateway credentials set --help',
          },
        }
      },
    }),
    defineServiceCommand({
      name: 'remove',
      description: 'Delete a credential permanently',
      arguments: [['<credential-id>', 'credential ID, as shown by "gateway credentials list"']],
      account: 'required',
      examples: [
        'gateway credentials remove crd_… --account ci',
        'gateway credentials remove crd_… --account ci --json',
      ],
      async run({ app, caller, words: [id] }) {
        await app.call('removeCredential', { credential_id: id }, caller)
        return { json: { id, done: 'remove' } }
      },
    }),
  ],
})

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
