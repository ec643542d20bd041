import type { Command } from 'commander'
import type { Io } from '../io.ts'
import { formatTable } from '../io.ts'
import { type GlobalOptions, withService } from '../service.ts'

/** Adds `accounts create|list`. */
export function addAccountCommands(program: Command, io: Io): void {
  const accounts = program
    .command('accounts')
    .description('Create and list accounts')
    .addHelpText(
      'after',
      '\nExamples:\n  api-discovery accounts create ci\n  api-discovery accounts list',
    )

  accounts
    .command('create')
    .argument('<name>', 'account name')
    .description('Create an account and print its ID')
    .addHelpText(
      'after',
      '\nExamples:\n  api-discovery accounts create ci\n  api-discovery accounts create "Data team" --json',
    )
    .action(async (name: string, _, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      await withService(io, options, async ({ app }) => {
        const account = await app.accounts.createAccount(name)
        io.result(options.json ? JSON.stringify(account) : account.id)
      })
    })

  accounts
    .command('list')
    .description('List all accounts')
    .addHelpText(
      'after',
      '\nExamples:\n  api-discovery accounts list\n  api-discovery accounts list --json',
    )
    .action(async (_, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      await withService(io, { ...options, mustExist: true }, async ({ app }) => {
        const list = await app.accounts.listAccounts()
        if (options.json) return io.result(JSON.stringify(list))
        if (list.length === 0) {
          return io.note('No accounts yet. Create one: api-discovery accounts create NAME')
        }
        io.result(
          formatTable(
            ['ID', 'NAME', 'CREATED'],
            list.map(({ id, name, createdAt }) => [id, name, new Date(createdAt).toISOString()]),
          ),
        )
      })
    })
}
