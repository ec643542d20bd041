import { defineCommand, defineServiceCommand } from '../define-command.ts'
import { describePage } from '../pages.ts'

/** `vendors add|list`. */
export const vendorCommands = defineCommand({
  name: 'vendors',
  description: 'Add and list vendors',
  examples: ['vendors add Acme', 'vendors list'],
  commands: [
    defineServiceCommand({
      name: 'add',
      description: 'Add a vendor, so that its descriptions can be imported',
      arguments: [['<name>', 'vendor name']],
      options: [
        ['--homepage <url>', 'http or https URL'],
        ['--description <text>', 'short description of the vendor'],
      ],
      examples: ['vendors add Acme', 'vendors add "Acme Weather" --homepage https://acme.example'],
      createsDatabase: true,
      async run({ app, caller, words: [name], options: { homepage = '', description = '' } }) {
        const body = { name, homepage, description }
        const vendor = await app.call('createVendor', { body }, caller)
        return { json: vendor, text: vendor.encrypted_id }
      },
    }),
    defineServiceCommand({
      name: 'list',
      description: 'List vendors',
      arguments: [['[text]', 'words in the name, description or homepage']],
      options: [['--page <n>', 'page number; a page has 100 vendors', { default: '1' }]],
      examples: ['vendors list', 'vendors list weather --page 2'],
      async run({ app, caller, words: [text], options }) {
        const input = { q: text ?? '', size: 100, page: options.page as unknown as number }
        const found = await app.call('searchVendors', input, caller)
        return {
          json: found,
          table: {
            headings: ['ID', 'NAME', 'HOMEPAGE'],
            rows: found.vendors.map(({ encrypted_id, name, homepage }) => [
              encrypted_id,
              name,
              homepage,
            ]),
            empty:
              text === undefined
                ? 'No vendors yet. Add one: api-discovery vendors add NAME'
                : `No results for "${text}".`,
          },
          note: describePage(found, 'vendors'),
        }
      },
    }),
  ],
})
