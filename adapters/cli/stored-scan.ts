import { ServiceError } from '../../core/index.ts'
import type { ServiceContext } from './define-command.ts'
import { CommandError } from './errors.ts'
import { toPrintable } from './io.ts'

/** Advises how to find the scan if `work` does not find it. */
export async function withScanAdvice<T>(
  service: ServiceContext,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'not_found') throw error
    const advice =
      service.account === undefined
        ? await adviseAccount(service)
        : 'List the scans of the account with "scans list"'
    throw new CommandError(`${error.message}. ${advice}.`)
  }
}

/** Advises to select one of the accounts with scans. */
export async function adviseAccount({ app, storage }: ServiceContext): Promise<string> {
  const names: string[] = []
  for (const account of await app.accounts.listAccounts()) {
    if ((await storage.scans.count(account)) > 0) names.push(account.name)
  }
  const listed = names.length === 0 ? '' : ` (accounts with scans: ${names.join(', ')})`
  return toPrintable(`Select an account with --account${listed}`)
}
