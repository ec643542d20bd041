import { ServiceError } from '../../core/index.ts'
import { CommandError } from './errors.ts'
import { type Io, toPrintable } from './io.ts'
import { type AccountOptions, type ServiceOfAccount, withAccount } from './service.ts'

/** Opens the service for a command on a stored scan. Advises how to find a missing scan. */
export function withStoredScan(
  io: Io,
  options: AccountOptions,
  work: (service: ServiceOfAccount) => Promise<void>,
): Promise<void> {
  return withAccount(io, options, async (service) => {
    try {
      await work(service)
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'not_found') throw error
      const advice =
        options.account === undefined
          ? await adviseAccount(service)
          : 'List the scans of the account with "scans list"'
      throw new CommandError(`${error.message}. ${advice}.`)
    }
  })
}

/** Advises to select one of the accounts with scans. */
export async function adviseAccount({ app, storage }: ServiceOfAccount): Promise<string> {
  const names: string[] = []
  for (const account of await app.accounts.listAccounts()) {
    if ((await storage.scans.count(account)) > 0) names.push(account.name)
  }
  const listed = names.length === 0 ? '' : ` (accounts with scans: ${names.join(', ')})`
  return toPrintable(`Select an account with --account${listed}`)
}
