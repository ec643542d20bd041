import type { Account } from '../../../core/index.ts'

/**
 * Builds the command-line option for an account: by name if it needs no shell quoting, else by ID.
 */
export function accountOption({ id, name }: Account): string {
  return `--account ${/^\w[\w@.-]*$/.test(name) ? name : id}`
}
