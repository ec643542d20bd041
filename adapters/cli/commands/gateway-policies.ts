import { type Command, InvalidArgumentError } from 'commander'
import { formatTable, type Io } from '../io.ts'
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
    .description('Restrict the calls of API keys')
    .addHelpText(
      'after',
      '\nExamples:\n  api-discovery gateway policies set key_… --account ci --method GET --daily-budget 1000\n  api-discovery gateway policies list --account ci',
    )

  policies
    .command('set')
    .argument('<key-id>', 'key ID, as shown by "keys list"')
    .description('Set the policy of a key; replaces its previous policy')
    .requiredOption('--account <name>', 'account name or ID')
    .option('--vendor <name...>', 'allow APIs of these vendors (in addition to --api)')
    .option(
      '--api <id...>',
      'allow these APIs (in addition to --vendor): encrypted_id or numeric ID',
    )
    .option('--method <method...>', 'allow endpoints with these methods (default: all)')
    .option(
      '--daily-budget <n>',
      'maximum calls per UTC day (default: unlimited)',
      parseDailyBudget,
    )
    .addHelpText(
      'after',
      '\nExamples:\n  api-discovery gateway policies set key_… --account ci --vendor "Acme Weather" --method GET --daily-budget 1000\n  api-discovery gateway policies set key_… --account ci --api QGbkBUa4 1729',
    )
    .action(async (keyId: string, _, command: Command) => {
      const options = command.optsWithGlobals<SetOptions>()
      await withAccount(io, options, async ({ app, caller }) => {
        const body = {
          key_id: keyId,
          vendors: toMutableList(options.vendor),
          api_ids: toMutableList(options.api),
          methods: toMutableList(options.method),
          daily_budget: options.dailyBudget,
        }
        const policy = await app.call('putPolicy', { body }, caller)
        if (options.json) io.result(JSON.stringify(policy))
      })
    })

  policies
    .command('list')
    .description('List the policies of an account; keys without a policy are unrestricted')
    .requiredOption('--account <name>', 'account name or ID')
    .addHelpText(
      'after',
      '\nExamples:\n  api-discovery gateway policies list --account ci\n  api-discovery gateway policies list --account ci --json',
    )
    .action(async (_, command: Command) => {
      const options = command.optsWithGlobals<AccountOptions>()
      await withAccount(io, options, async ({ app, caller }) => {
        const found = await app.call('listPolicies', {}, caller)
        if (options.json) return io.result(JSON.stringify(found))
        if (found.policies.length === 0) {
          return io.note('No policies in this account: its keys are unrestricted.')
        }
        io.result(
          formatTable(
            ['KEY', 'VENDORS', 'APIS', 'METHODS', 'DAILY BUDGET'],
            found.policies.map((policy) => [
              policy.key_id,
              formatAllowList(policy.vendors),
              formatAllowList(policy.api_ids),
              formatAllowList(policy.methods),
              policy.daily_budget ?? 'unlimited',
            ]),
          ),
        )
      })
    })

  policies
    .command('remove')
    .argument('<key-id>', 'key ID, as shown by "gateway policies list"')
    .description('Remove the policy of a key; the key is unrestricted again')
    .requiredOption('--account <name>', 'account name or ID')
    .addHelpText(
      'after',
      '\nExamples:\n  api-discovery gateway policies remove key_… --account ci\n  api-discovery gateway policies remove key_… --account ci --json',
    )
    .action(async (keyId: string, _, command: Command) => {
      const options = command.optsWithGlobals<AccountOptions>()
      await withAccount(io, options, async ({ app, caller }) => {
        await app.call('removePolicy', { key_id: keyId }, caller)
        if (options.json) io.result(JSON.stringify({ id: keyId, done: 'remove' }))
      })
    })
}

function toMutableList(values: readonly string[] | undefined): string[] | undefined {
  return values === undefined ? undefined : [...values]
}

/** Formats an allow list: null allows any value, an empty list none. */
function formatAllowList(values: readonly (string | number)[] | null): string {
  if (values === null) return 'any'
  return values.length === 0 ? 'none' : values.join(', ')
}

function parseDailyBudget(text: string): number {
  const value = Number(text)
  if (/^\d{1,10}$/.test(text) && value <= 1e9) return value
  throw new InvalidArgumentError('It must be an integer from 0 to 1000000000.')
}
