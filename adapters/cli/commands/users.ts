import type { Command } from 'commander'
import { type Invitation, SCOPES, type User } from '../../../core/index.ts'
import { UsageError } from '../errors.ts'
import { readSecret } from '../gateway-secret.ts'
import { type Io, toTable } from '../io.ts'
import { parseScopes, toMs } from '../scopes.ts'
import { type GlobalOptions, withService } from '../service.ts'

interface LinkOptions extends GlobalOptions {
  readonly publicUrl?: string
  readonly expires: string
}

interface NewUserOptions extends LinkOptions {
  readonly account: string
  readonly scopes: string
}

const SCOPE_LIST = `comma-separated: ${SCOPES.join(', ')}`

/** Adds `users create|invite|list|reset|scopes|remove`. */
export function addUserCommands(program: Command, io: Io): void {
  const users = program
    .command('users')
    .description('Let people log in to the console, and say what they may do there.')
    .addHelpText(
      'after',
      '\nExamples:\n  api-discovery users invite --account ci --scopes read,review\n  api-discovery users list',
    )
  addCreate(users, io)
  addInvite(users, io)
  addList(users, io)
  addReset(users, io)
  addScopes(users, io)
  addRemove(users, io)
}

function addCreate(users: Command, io: Io): void {
  const create = users
    .command('create')
    .argument('<name>', 'name to log in with')
    .description('Create a user; the password is read from standard input.')
    .requiredOption('--account <name>', 'name or id of the account')
    .option('--scopes <list>', SCOPE_LIST, 'read')
    .option('--password-file <file>', 'read the password from a file')
    .option('--invite', 'ask for no password: print a link where the user sets it')
  addLinkOptions(create)
    .addHelpText(
      'after',
      '\nExample:\n  api-discovery users create ada --account ci < password.txt',
    )
    .action(async (name: string, _, command: Command) => {
      const options = command.optsWithGlobals<
        NewUserOptions & { readonly invite?: boolean; readonly passwordFile?: string }
      >()
      const { toLink, expiresInMs } = readLinkOptions(options)
      const scopes = parseScopes(options.scopes)
      const password = options.invite ? drawPassword() : await readSecret(io, options.passwordFile)
      await withService(io, { ...options, mustExist: true }, async ({ app }) => {
        const account = await app.accounts.getAccount(options.account)
        const user = await app.users.createUser({ name, password, account, scopes })
        if (!options.invite) return io.result(options.json ? JSON.stringify(user) : user.id)
        const link = toLink(await app.users.inviteToReset({ userName: name, account, expiresInMs }))
        tellLink(io, options, { ...user, ...link })
      })
    })
}

function addInvite(users: Command, io: Io): void {
  const invite = users
    .command('invite')
    .description('Print a link, to be used once, whose holder becomes a user of the account.')
    .requiredOption('--account <name>', 'name or id of the account')
    .option('--scopes <list>', SCOPE_LIST, 'read')
  addLinkOptions(invite)
    .addHelpText(
      'after',
      '\nExample:\n  api-discovery users invite --account ci --scopes read,call',
    )
    .action(async (_, command: Command) => {
      const options = command.optsWithGlobals<NewUserOptions>()
      const { toLink, expiresInMs } = readLinkOptions(options)
      const scopes = parseScopes(options.scopes)
      await withService(io, { ...options, mustExist: true }, async ({ app }) => {
        const account = await app.accounts.getAccount(options.account)
        const link = toLink(await app.users.invite({ account, scopes, expiresInMs }))
        tellLink(io, options, link)
      })
    })
}

function addList(users: Command, io: Io): void {
  users
    .command('list')
    .description('List users.')
    .option('--account <name>', 'only the users of this account')
    .addHelpText('after', '\nExample:\n  api-discovery users list --account ci')
    .action(async (_, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { readonly account?: string }>()
      await withService(io, { ...options, mustExist: true }, async ({ app }) => {
        const { account: name } = options
        const account = name === undefined ? undefined : await app.accounts.getAccount(name)
        const list = await app.users.listUsers(account)
        if (options.json) return io.result(JSON.stringify(list))
        if (list.length === 0) {
          return io.note('There are no users yet: api-discovery users invite --account NAME')
        }
        io.result(toTable(['NAME', 'ACCOUNT', 'SCOPES', 'LAST LOG-IN'], list.map(toRow)))
      })
    })
}

function addReset(users: Command, io: Io): void {
  const reset = users
    .command('reset')
    .argument('<name>', 'name of the user')
    .description('Print a link, to be used once, where the user sets a new password.')
  addLinkOptions(reset)
    .addHelpText(
      'after',
      '\nExample:\n  api-discovery users reset ada --public-url https://apis.example',
    )
    .action(async (userName: string, _, command: Command) => {
      const options = command.optsWithGlobals<LinkOptions>()
      const { toLink, expiresInMs } = readLinkOptions(options)
      await withService(io, { ...options, mustExist: true }, async ({ app }) => {
        const link = toLink(
          await app.users.inviteToReset({ userName, account: undefined, expiresInMs }),
        )
        tellLink(io, options, link)
      })
    })
}

function addScopes(users: Command, io: Io): void {
  users
    .command('scopes')
    .argument('<name>', 'name of the user')
    .argument('<scopes>', SCOPE_LIST)
    .description('Change what a user may do, at once.')
    .addHelpText('after', '\nExample:\n  api-discovery users scopes ada read,call,import')
    .action(async (name: string, list: string, _, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const scopes = parseScopes(list)
      await withService(io, { ...options, mustExist: true }, async ({ app }) => {
        await app.users.changeScopes({ userName: name, account: undefined, scopes })
        if (options.json) io.result(JSON.stringify({ name, scopes }))
      })
    })
}

function addRemove(users: Command, io: Io): void {
  users
    .command('remove')
    .argument('<name>', 'name of the user')
    .description("Remove a user, who is logged out at once; the account's keys stay.")
    .addHelpText('after', '\nExample:\n  api-discovery users remove ada')
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
    .option(
      '--public-url <url>',
      `the server's address, as people reach it; ${LOCAL_URL} when absent`,
    )
    .option('--expires <duration>', 'how long the link works, at most 30d', '7d')
}

/** Where `serve` is when nothing else is said. */
const LOCAL_URL = 'http://127.0.0.1:8080'

function tellLink(
  io: Io,
  { json, publicUrl }: LinkOptions,
  made: Readonly<Record<string, unknown>> & { readonly link: string },
): void {
  io.result(json ? JSON.stringify(made) : made.link)
  if (!json && publicUrl === undefined)
    io.note(`The link is for a server at ${LOCAL_URL}: --public-url names another address.`)
}

/** How links are made, and for how long they work. */
function readLinkOptions({ publicUrl: url = LOCAL_URL, expires }: LinkOptions) {
  const base = URL.canParse(url) ? new URL(url) : undefined
  if (!base || !/^https?:$/.test(base.protocol) || base.search !== '' || base.hash !== '') {
    throw new UsageError(`Cannot use the address "${url}": it must look like https://apis.example`)
  }
  const server = base.href.replace(/\/+$/, '')
  return {
    expiresInMs: toMs(expires),
    toLink: (made: { readonly token: string; readonly invitation: Invitation }) => ({
      link: `${server}/console/welcome?token=${made.token}`,
      expires_at: new Date(made.invitation.expiresAt).toISOString(),
    }),
  }
}

/** Nobody knows it: the user sets another one by the link. */
function drawPassword(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url')
}

function toRow({ name, account, scopes, lastLoginAt }: User): readonly string[] {
  const last = lastLoginAt === undefined ? 'never' : new Date(lastLoginAt).toISOString()
  return [name, account.name, scopes.join(','), last]
}
