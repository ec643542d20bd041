import type { Command } from 'commander'
import { type Invitation, SCOPES, type User } from '../../../core/index.ts'
import { UsageError } from '../errors.ts'
import { readSecret } from '../gateway-secret.ts'
import { formatTable, type Io } from '../io.ts'
import { parseDurationOption, parseScopes } from '../scopes.ts'
import { type GlobalOptions, withService } from '../service.ts'

interface LinkOptions extends GlobalOptions {
  readonly publicUrl?: string
  readonly expires: string
}

interface NewUserOptions extends LinkOptions {
  readonly account: string
  readonly scopes: string
}

const SCOPE_LIST = `comma-separated scopes: ${SCOPES.join(', ')}`

/** Adds `users create|invite|list|reset|scopes|remove`. */
export function addUserCommands(program: Command, io: Io): void {
  const users = program
    .command('users')
    .description('Create, invite and manage console users')
    .addHelpText(
      'after',
      '\nExamples:\n  api-discovery users invite --account ci --scopes read,review\n  api-discovery users list',
    )
  addCreateUserCommand(users, io)
  addInviteUserCommand(users, io)
  addListUsersCommand(users, io)
  addResetPasswordCommand(users, io)
  addChangeScopesCommand(users, io)
  addRemoveUserCommand(users, io)
}

function addCreateUserCommand(users: Command, io: Io): void {
  const create = users
    .command('create')
    .argument('<name>', 'user name')
    .description('Create a user; the password is read from standard input')
    .requiredOption('--account <name>', 'account name or ID')
    .option('--scopes <list>', SCOPE_LIST, 'read')
    .option('--password-file <file>', 'read the password from a file')
    .option('--invite', 'do not read a password: print a link for setting it')
  addLinkOptions(create)
    .addHelpText(
      'after',
      '\nExamples:\n  api-discovery users create ada --account ci < password.txt\n  api-discovery users create ada --account ci --scopes read,call --invite',
    )
    .action(async (name: string, _, command: Command) => {
      const options = command.optsWithGlobals<
        NewUserOptions & { readonly invite?: boolean; readonly passwordFile?: string }
      >()
      const { toLink, expiresInMs } = readLinkOptions(options)
      const scopes = parseScopes(options.scopes)
      const password = options.invite
        ? createRandomPassword()
        : await readSecret(io, options.passwordFile, 'password')
      await withService(io, { ...options, mustExist: true }, async ({ app }) => {
        const account = await app.accounts.getAccount(options.account)
        const user = await app.users.createUser({ name, password, account, scopes })
        if (!options.invite) return io.result(options.json ? JSON.stringify(user) : user.id)
        const link = toLink(await app.users.inviteToReset({ userName: name, account, expiresInMs }))
        printLink(io, options, { ...user, ...link })
      })
    })
}

function addInviteUserCommand(users: Command, io: Io): void {
  const invite = users
    .command('invite')
    .description('Print a one-time link that invites a new user to the account')
    .requiredOption('--account <name>', 'account name or ID')
    .option('--scopes <list>', SCOPE_LIST, 'read')
  addLinkOptions(invite)
    .addHelpText(
      'after',
      '\nExamples:\n  api-discovery users invite --account ci --scopes read,call\n  api-discovery users invite --account ci --public-url https://apis.example --expires 1d',
    )
    .action(async (_, command: Command) => {
      const options = command.optsWithGlobals<NewUserOptions>()
      const { toLink, expiresInMs } = readLinkOptions(options)
      const scopes = parseScopes(options.scopes)
      await withService(io, { ...options, mustExist: true }, async ({ app }) => {
        const account = await app.accounts.getAccount(options.account)
        const link = toLink(await app.users.invite({ account, scopes, expiresInMs }))
        printLink(io, options, link)
      })
    })
}

function addListUsersCommand(users: Command, io: Io): void {
  users
    .command('list')
    .description('List users')
    .option('--account <name>', 'account name or ID (default: all accounts)')
    .addHelpText(
      'after',
      '\nExamples:\n  api-discovery users list --account ci\n  api-discovery users list --json',
    )
    .action(async (_, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { readonly account?: string }>()
      await withService(io, { ...options, mustExist: true }, async ({ app }) => {
        const { account: name } = options
        const account = name === undefined ? undefined : await app.accounts.getAccount(name)
        const list = await app.users.listUsers(account)
        if (options.json) return io.result(JSON.stringify(list))
        if (list.length === 0) {
          return io.note('No users yet. Invite one: api-discovery users invite --account NAME')
        }
        io.result(
          formatTable(['NAME', 'ACCOUNT', 'SCOPES', 'LAST LOG-IN'], list.map(formatUserRow)),
        )
      })
    })
}

function addResetPasswordCommand(users: Command, io: Io): void {
  const reset = users
    .command('reset')
    .argument('<name>', 'user name')
    .description('Print a one-time link for setting a new password')
  addLinkOptions(reset)
    .addHelpText(
      'after',
      '\nExamples:\n  api-discovery users reset ada --expires 12h\n  api-discovery users reset ada --public-url https://apis.example',
    )
    .action(async (userName: string, _, command: Command) => {
      const options = command.optsWithGlobals<LinkOptions>()
      const { toLink, expiresInMs } = readLinkOptions(options)
      await withService(io, { ...options, mustExist: true }, async ({ app }) => {
        const link = toLink(
          await app.users.inviteToReset({ userName, account: undefined, expiresInMs }),
        )
        printLink(io, options, link)
      })
    })
}

function addChangeScopesCommand(users: Command, io: Io): void {
  users
    .command('scopes')
    .argument('<name>', 'user name')
    .argument('<scopes>', SCOPE_LIST)
    .description('Change the scopes of a user; takes effect at once')
    .addHelpText(
      'after',
      '\nExamples:\n  api-discovery users scopes ada read,call,import\n  api-discovery users scopes ada read --json',
    )
    .action(async (name: string, list: string, _, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const scopes = parseScopes(list)
      await withService(io, { ...options, mustExist: true }, async ({ app }) => {
        await app.users.changeScopes({ userName: name, account: undefined, scopes })
        if (options.json) io.result(JSON.stringify({ name, scopes }))
      })
    })
}

function addRemoveUserCommand(users: Command, io: Io): void {
  users
    .command('remove')
    .argument('<name>', 'user name')
    .description("Remove a user and end their sessions; the account's keys remain")
    .addHelpText(
      'after',
      '\nExamples:\n  api-discovery users remove ada\n  api-discovery users remove ada --json',
    )
    .action(async (name: string, _, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      await withService(io, { ...options, mustExist: true }, async ({ app }) => {
        await app.users.removeUser({ userName: name, account: undefined })
        if (options.json) io.result(JSON.stringify({ name, done: 'remove' }))
      })
    })
}

function addLinkOptions(command: Command): Command {
  return command
    .option('--public-url <url>', `public address of the server (default: ${DEFAULT_SERVER_URL})`)
    .option('--expires <duration>', 'lifetime of the link, at most 30d', '7d')
}

/** Default address of `serve`. */
const DEFAULT_SERVER_URL = 'http://127.0.0.1:8080'

function printLink(
  io: Io,
  { json, publicUrl }: LinkOptions,
  created: Readonly<Record<string, unknown>> & { readonly link: string },
): void {
  io.result(json ? JSON.stringify(created) : created.link)
  if (!json && publicUrl === undefined)
    io.note(
      `The link is for a server at ${DEFAULT_SERVER_URL}. Use --public-url for another address.`,
    )
}

/** Reads the lifetime of links and a function that builds them. */
function readLinkOptions({ publicUrl: url = DEFAULT_SERVER_URL, expires }: LinkOptions) {
  const base = URL.canParse(url) ? new URL(url) : undefined
  if (!base || !/^https?:$/.test(base.protocol) || base.search !== '' || base.hash !== '') {
    throw new UsageError(`Cannot use the address "${url}": it must look like https://apis.example`)
  }
  const server = base.href.replace(/\/+$/, '')
  return {
    expiresInMs: parseDurationOption(expires),
    toLink: (made: { readonly token: string; readonly invitation: Invitation }) => ({
      link: `${server}/console/welcome?token=${made.token}`,
      expires_at: new Date(made.invitation.expiresAt).toISOString(),
    }),
  }
}

/** Creates a random placeholder password: the user sets the real one with the link. */
function createRandomPassword(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url')
}

function formatUserRow({ name, account, scopes, lastLoginAt }: User): readonly string[] {
  const last = lastLoginAt === undefined ? 'never' : new Date(lastLoginAt).toISOString()
  return [name, account.name, scopes.join(','), last]
}
