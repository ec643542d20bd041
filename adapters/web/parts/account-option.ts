import type { Account } from '../../../core/index.ts'

/** The option by which the command line acts for an account: its name where a shell takes that as it is, else its id. */
export function accountOption({ id, name }: Account): string {
  return `--account ${/^\w[\w@.-]*$/.test(name) ? name : id}`
}
