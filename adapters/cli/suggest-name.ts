import { Command } from 'commander'

/** Returns Commander's `(Did you mean …?)` on a new line; empty if no name is similar. */
export function suggestName(typed: string, names: readonly string[]): string {
  const program = new Command().exitOverride().configureOutput({ writeErr: () => {} })
  for (const name of names) program.command(name)
  try {
    program.parse([typed], { from: 'user' })
    return ''
  } catch (error) {
    return /\n\(Did you mean .+\)/.exec(String(error))?.[0] ?? ''
  }
}
