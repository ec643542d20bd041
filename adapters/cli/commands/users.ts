import type { Invitation, User } from '../../../core/accounts/index.ts'
import { SCOPES } from '../../../core/index.ts'
import { type CommandOutput, defineCommand, defineServiceCommand } from '../define-command.ts'
import { UsageError } from '../errors.ts'
import { readSecret } from '../gateway-secret.ts'
import { parseDurationOption, parseScopes } from '../scopes.ts'

const SCOPE_LIST = `comma-separated scopes: ${SCOPES.join(', ')}`
const SCOPES_OPTION = [
  '--scopes <list>',
  SCOPE_LIST,
  { parse: parseScopes, suggestions: SCOPES, default: 'read' },
] as const
const USER_NAME = ['<name>', 'user name'] as const

/** Default address of `serve`. */
const DEFAULT_SERVER_URL = 'http://127.0.0.1:8080'

const LINK_OPTIONS = [
  [
    '--public-url <url>',
    `public address of the server (default: ${DEFAULT_SERVER_URL})`,
    { parse: parseServerUrl },
  ],
  [
    '--expires <duration>',
    'lifetime of the link, at most 30d',
    { parse: parseDurationOption, default: '7d' },
  ],
] as const

/** `users create|invite|list|reset|scopes|remove`. */
export const userCommands = defineCommand({
  name: 'users',
  description: 'Create, invite and manage console users',
  examples: ['users invite --account ci --scopes read,review', 'users list'],
  commands: [
    defineServiceCommand({
      name: 'create',
      description: 'Create a user; the password is read from standard input',
      arguments: [USER_NAME],
      account: 'required',
      options: [
        SCOPES_OPTION,
        ['--password-file <file>', 'read the password from a file'],
        ['--invite', 'do not read a password: print a link for setting it'],
        ...LINK_OPTIONS,
      ],
      examples: [
        'users create ada --account ci < password.txt',
        'users create ada --account ci --scopes read,call --invite',
      ],
      prepare: ({ io, options }) =>
        options.invite ? createRandomPassword() : readSecret(io, options.passwordFile, 'password'),
      async run({ app, caller: { account }, words: [name], options, prepared: password }) {
        const { scopes, expires: expiresInMs } = options
        const user = await app.users.createUser({ name, password, account, scopes })
        if (!options.invite) return { json: user, text: user.id }
        const invited = await app.users.inviteToReset({ userName: name, account, expiresInMs })
        return toLinkOutput(invited, { publicUrl: options.publicUrl, user })
      },
    }),
    defineServiceCommand({
      name: 'invite',
      description: 'Print a one-time link that invites a new user to the account',
      account: 'required',
      options: [SCOPES_OPTION, ...LINK_OPTIONS],
      examples: [
        'users invite --account ci --scopes read,call',
        'users invite --account ci --public-url https://apis.example --expires 1d',
      ],
      async run({ app, caller: { account }, options }) {
        const { scopes, expires: expiresInMs } = options
        return toLinkOutput(await app.users.invite({ account, scopes, expiresInMs }), options)
      },
    }),
    defineServiceCommand({
      name: 'list',
      description: 'List users',
      account: 'all',
      examples: ['users list --account ci', 'users list --json'],
      async run({ app, account }) {
        const list = await app.users.listUsers(account)
        return {
          json: list,
          table: {
            headings: ['NAME', 'ACCOUNT', 'SCOPES', 'LAST LOG-IN'],
            rows: list.map(formatUserRow),
            empty: 'No users yet. Invite one: api-discovery users invite --account NAME',
          },
        }
      },
    }),
    defineServiceCommand({
      name: 'reset',
      description: 'Print a one-time link for setting a new password',
      arguments: [USER_NAME],
      options: LINK_OPTIONS,
      examples: [
        'users reset ada --expires 12h',
        'users reset ada --public-url https://apis.example',
      ],
      async run({ app, words: [userName], options }) {
        const request = { userName, account: undefined, expiresInMs: options.expires }
        return toLinkOutput(await app.users.inviteToReset(request), options)
      },
    }),
    defineServiceCommand({
      name: 'scopes',
      description: 'Change the scopes of a user; takes effect at once',
      arguments: [USER_NAME, ['<scopes>', SCOPE_LIST, { parse: parseScopes }]],
      examples: ['users scopes ada read,call,import', 'users scopes ada read --json'],
      async run({ app, words: [name, scopes] }) {
        await app.users.changeScopes({ userName: name, account: undefined, scopes })
        return { json: { name, scopes } }
      },
    }),
    defineServiceCommand({
      name: 'remove',
      description: "Remove a user and end their sessions; the account's keys remain",
      arguments: [USER_NAME],
      examples: ['users remove ada', 'users remove ada --json'],
      async run({ app, words: [name] }) {
        await app.users.removeUser({ userName: name, account: undefined })
        return { json: { name, done: 'remove' } }
      },
    }),
  ],
})

function toLinkOutput(
  { token, invitation }: { readonly token: string; readonly invitation: Invitation },
  { publicUrl, user }: { readonly publicUrl?: string | undefined; readonly user?: User },
): CommandOutput {
  const link = `${publicUrl ?? DEFAULT_SERVER_URL}/console/welcome?token=${token}`
  return {
    json: { ...user, link, expires_at: new Date(invitation.expiresAt).toISOString() },
    text: link,
    note:
      publicUrl === undefined
        ? `The link is for a server at ${DEFAULT_SERVER_URL}. Use --public-url for another address.`
        : undefined,
  }
}

/** Returns the address without slashes at its end. */
function parseServerUrl(text: string): string {
  const base = URL.canParse(text) ? new URL(text) : undefined
  if (!base || !/^https?:$/.test(base.protocol) || base.search !== '' || base.hash !== '') {
    throw new UsageError(`Cannot use the address "${text}": it must look like https://apis.example`)
  }
  return base.href.replace(/\/+$/, '')
}

/** Creates a random placeholder password: the user sets the real one with the link. */
function createRandomPassword(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url')
}

function formatUserRow({ name, account, scopes, lastLoginAt }: User): readonly string[] {
  const last = lastLoginAt === undefined ? 'never' : new Date(lastLoginAt).toISOString()
  return [name, account.name, scopes.join(','), last]
}
