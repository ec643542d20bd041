import type { Command } from 'commander'
import { formatTable, type Io } from '../io.ts'
import { type GlobalOptions, OPERATOR, withService } from '../service.ts'

/** Adds `vendors add|list`. */
export function addVendorCommands(program: Command, io: Io): void {
  const vendors = program
    .command('vendors')
    .description('Add and list vendors')
    .addHelpText(
      'after',
      '\nExamples:\n  api-discovery vendors add Acme\n  api-discovery vendors list',
    )

  vendors
    .command('add')
    .argument('<name>', 'vendor name')
    .description('Add a vendor, so that its descriptions can be imported')
    .option('--homepage <url>', 'http or https URL')
    .option('--description <text>', 'short description of the vendor')
    .addHelpText(
      'after',
      '\nExamples:\n  api-discovery vendors add Acme\n  api-discovery vendors add "Acme Weather" --homepage https://acme.example',
    )
    .action(async (name: string, _, command: Command) => {
      const options = command.optsWithGlobals<
        GlobalOptions & { readonly homepage?: string; readonly description?: string }
      >()
      await withService(io, options, async ({ app }) => {
        const body = {
          name,
          homepage: options.homepage ?? '',
          description: options.description ?? '',
        }
        const vendor = await app.call('createVendor', { body }, OPERATOR)
        io.result(options.json ? JSON.stringify(vendor) : vendor.encrypted_id)
      })
    })

  vendors
    .command('list')
    .argument('[text]', 'words in the name, description or homepage')
    .description('List vendors')
    .option('--page <n>', 'page number; a page has 100 vendors', '1')
    .addHelpText(
      'after',
      '\nExamples:\n  api-discovery vendors list\n  api-discovery vendors list weather --page 2',
    )
    .action(async (text: string | undefined, _, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { readonly page: string }>()
      await withService(io, { ...options, mustExist: true }, async ({ app }) => {
        const input = { q: text ?? '', size: 100, page: options.page as unknown as number }
        const found = await app.call('searchVendors', input, OPERATOR)
        if (options.json) return io.result(JSON.stringify(found))
        if (found.vendors.length === 0) {
          return io.note(
            text === undefined
              ? 'No vendors yet. Add one: api-discovery vendors add NAME'
              : `No results for "${text}".`,
          )
        }
        io.result(
          formatTable(
            ['ID', 'NAME', 'HOMEPAGE'],
            found.vendors.map((vendor) => [vendor.encrypted_id, vendor.name, vendor.homepage]),
          ),
        )
        if (found.num_pages > 1) {
          io.note(`Page ${found.current_page} of ${found.num_pages}, ${found.num_results} vendors.`)
        }
      })
    })
}
