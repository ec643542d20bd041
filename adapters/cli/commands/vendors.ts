import type { Command } from 'commander'
import { type Io, toTable } from '../io.ts'
import { type GlobalOptions, OPERATOR, withService } from '../service.ts'

/** Adds `vendors add|list`. */
export function addVendorCommands(program: Command, io: Io): void {
  const vendors = program
    .command('vendors')
    .description('Enter and list vendors.')
    .addHelpText(
      'after',
      '\nExamples:\n  api-discovery vendors add Acme\n  api-discovery vendors list',
    )

  vendors
    .command('add')
    .argument('<name>', 'name of the vendor')
    .description('Enter a vendor, so that its descriptions can be imported.')
    .option('--homepage <url>', 'http or https address')
    .option('--description <text>', 'what the vendor does')
    .addHelpText(
      'after',
      '\nExample:\n  api-discovery vendors add "Acme Weather" --homepage https://acme.example',
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
    .argument('[text]', 'only vendors whose name, description or homepage has these words')
    .description('List vendors.')
    .option('--page <n>', 'page of 100', '1')
    .addHelpText('after', '\nExample:\n  api-discovery vendors list weather')
    .action(async (text: string | undefined, _, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { readonly page: string }>()
      await withService(io, { ...options, mustExist: true }, async ({ app }) => {
        const input = { q: text ?? '', size: 100, page: options.page as unknown as number }
        const found = await app.call('searchVendors', input, OPERATOR)
        if (options.json) return io.result(JSON.stringify(found))
        if (found.vendors.length === 0) {
          return io.note(
            text === undefined
              ? 'There are no vendors yet: api-discovery vendors add NAME'
              : `No vendor matches "${text}".`,
          )
        }
        io.result(
          toTable(
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
