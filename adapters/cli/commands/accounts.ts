import { defineCommand, defineServiceCommand } from '../define-command.ts'

/** `accounts create|list`. */
export const accountCommands = defineCommand({
  name: 'accounts',
  description: 'Create and list accounts',
  examples: ['accounts create ci', 'accounts list'],
  commands: [
    defineServiceCommand({
      name: 'create',
      description: 'Create an account and print its ID',
      arguments: [['<name>', 'account name']],
      examples: ['accounts create ci', 'accounts create "Data team" --json'],
      createsDatabase: true,
      async run({ app, words: [name] }) {
        const account = await app.accounts.createAccount(name)
        return { json: account, text: account.id }
      },
    }),
    defineServiceCommand({
      name: 'list',
      description: 'List all accounts',
      examples: ['accounts list', 'accounts list --json'],
      async run({ app }) {
        const list = await app.accounts.listAccounts()
        return {
          json: list,
          table: {
            headings: ['ID', 'NAME', 'CREATED'],
            rows: list.map(({ id, name, createdAt }) => [
              id,
              name,
              new Date(createdAt).toISOString(),
            ]),
            empty: 'No accounts yet. Create one: api-discovery accounts create NAME',
          },
        }
      },
    }),
  ],
})
