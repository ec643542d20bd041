import { InvalidArgumentError } from 'commander'
import { defineCommand, defineServiceCommand } from '../define-command.ts'

/** `gateway policies set|list|remove`. */
export const policyCommands = defineCommand({
  name: 'policies',
  description: 'Restrict the calls of API keys',
  examples: [
    'gateway policies set key_… --account ci --method GET --daily-budget 1000',
    'gateway policies list --account ci',
  ],
  commands: [
    defineServiceCommand({
      name: 'set',
      description: 'Set the policy of a key; replaces its previous policy',
      arguments: [['<key-id>', 'key ID, as shown by "keys list"']],
      account: 'required',
      options: [
        ['--vendor <name...>', 'allow APIs of these vendors (in addition to --api)'],
        ['--api <id...>', 'allow these APIs (in addition to --vendor): encrypted_id or numeric ID'],
        ['--method <method...>', 'allow endpoints with these methods (default: all)'],
        [
          '--daily-budget <n>',
          'maximum calls per UTC day (default: unlimited)',
          { parse: parseDailyBudget },
        ],
      ],
      examples: [
        'gateway policies set key_… --account ci --vendor "Acme Weather" --method GET --daily-budget 1000',
        'gateway policies set key_… --account ci --api QGbkBUa4 1729',
      ],
      async run({ app, caller, words: [keyId], options }) {
        const body = {
          key_id: keyId,
          vendors: toMutableList(options.vendor),
          api_ids: toMutableList(options.api),
          methods: toMutableList(options.method),
          daily_budget: options.dailyBudget,
        }
        return { json: await app.call('putPolicy', { body }, caller) }
      },
    }),
    defineServiceCommand({
      name: 'list',
      description: 'List the policies of an account; keys without a policy are unrestricted',
      account: 'required',
      examples: ['gateway policies list --account ci', 'gateway policies list --account ci --json'],
      async run({ app, caller }) {
        const found = await app.call('listPolicies', {}, caller)
        return {
          json: found,
          table: {
            headings: ['KEY', 'VENDORS', 'APIS', 'METHODS', 'DAILY BUDGET'],
            rows: found.policies.map((policy) => [
              policy.key_id,
              formatAllowList(policy.vendors),
              formatAllowList(policy.api_ids),
              formatAllowList(policy.methods),
              policy.daily_budget ?? 'unlimited',
            ]),
            empty: 'No policies in this account: its keys are unrestricted.',
          },
        }
      },
    }),
    defineServiceCommand({
      name: 'remove',
      description: 'Remove the policy of a key; the key is unrestricted again',
      arguments: [['<key-id>', 'key ID, as shown by "gateway policies list"']],
      account: 'required',
      examples: [
        'gateway policies remove key_… --account ci',
        'gateway policies remove key_… --account ci --json',
      ],
      async run({ app, caller, words: [id] }) {
        await app.call('removePolicy', { key_id: id }, caller)
        return { json: { id, done: 'remove' } }
      },
    }),
  ],
})

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
