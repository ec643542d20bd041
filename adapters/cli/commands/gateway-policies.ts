import { type Command, InvalidArgumentError } from 'commander'
import { type Io, toTable } from '../io.ts'
import { type GlobalOptions, withAccount } from '../service.ts'

interface AccountOptions extends GlobalOptions {
  readonly account: string
}

interface SetOptions extends AccountOptions {
  readonly vendor?: readonly string[]
  readonly api?: readonly string[]
  readonly method?: readonly string[]
  readonly dailyBudget?: number
}

/** Adds `gateway policies set|list|remove`. */
export function addPolicyCommands(gateway: Command, io: Io): void {
  const policies = gateway
    .command('policies')
    .description('Say what each API key may call.')
    .addHelpText(
      'after',
      '\nExample:\n  api-discovery gateway policies set key_… --account ci --method GET --daily-budget 1000',
    )

  policies
    .command('set')
    .argument('<key-id>', 'id of the key, as "keys list" shows it')
    .description('Set what a key may call, in the place of what was set before.')
    .requiredOption('--account <name>', 'name or id of the account')
    .option('--vendor <name...>', 'only APIs of these vendors (or of --api)')
    .option('--api <id...>', 'only these APIs (or those of --vendor): encrypted_id or numeric id')
    .option('--method <method...>', 'only endpoints with these methods')
    .option('--daily-budget <n>', 'calls a day, UTC; not limited when absent', toBudget)
    .addHelpText(
      'after',
      '\nExample:\n  api-discovery gateway policies set key_… --account ci --vendor "Acme Weather" --method GET --daily-budget 1000',
    )
    .action(async (keyId: string, _, command: Command) => {
      const options = command.optsWithGlobals<SetOptions>()
      await withAccount(io, options, async ({ app, caller }) => {
        const body = {
          key_id: keyId,
          vendors: toList(options.vendor),
          api_ids: toList(options.api),
          methods: toList(options.method),
          daily_budget: options.dailyBudget,
        }
        const policy = await app.call('putPolicy', { body }, caller)
        if (options.json) io.result(JSON.stringify(policy))
      })
    })

  policies
    .command('list')
    .description('List the policies of an account; a key without one may call everything.')
    .requiredOption('--account <name>', 'name or id of the account')
    .addHelpText('after', '\nExample:\n  api-discovery gateway policies list --account ci')
    .action(async (_, command: Command) => {
      const options = command.optsWithGlobals<AccountOptions>()
      await withAccount(io, options, async ({ app, caller }) => {
        const found = await app.call('listPolicies', {}, caller)
        if (options.json) return io.result(JSON.stringify(found))
        if (found.policies.length === 0) {
          return io.note('No key of the account has a policy: each may call everything.')
        }
        io.result(
          toTable(
            ['KEY', 'VENDORS', 'APIS', 'METHODS', 'CALLS A DAY'],
            found.policies.map((policy) => [
              policy.key_id,
              toCell(policy.vendors),
              toCell(policy.api_ids),
              toCell(policy.methods),
              policy.daily_budget ?? 'any number',
            ]),
          ),
        )
      })
    })

  policies
    .command('remove')
    .argument('<key-id>', 'id of the key')
    .description('Let a key call everything again.')
    .requiredOption('--account <name>', 'name or id of the account')
    .addHelpText('after', '\nExample:\n  api-discovery gateway policies remove key_… --account ci')
    .action(async (keyId: string, _, command: Command) => {
      const options = command.optsWithGlobals<AccountOptions>()
      await withAccount(io, options, async ({ app, caller }) => {
        await app.call('removePolicy', { key_id: keyId }, caller)
        if (options.json) io.result(JSON.stringify({ id: keyId, done: 'remove' }))
      })
    })
}

function toList(values: readonly string[] | undefined): string[] | undefined {
  return values === undefined ? undefined : [...values]
}

/** Null allows any; an empty list allows none. */
function toCell(values: readonly (string | number)[] | null): string {
  if (values === null) return 'any'
  return values.length === 0 ? 'none' : values.join(', ')
}

function toBudget(text: string): number {
  const value = Number(text)
  if (/^\d{1,10}$/.test(text) && value <= 1e9) return value
  throw new InvalidArgumentError('It must be an integer from 0 to 1000000000.')
}
