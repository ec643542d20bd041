import { Command } from 'commander'
import { ServiceError } from '../../core/index.ts'
import { UsageError } from './errors.ts'

/** Returns Commander's `(Did you mean …?)` on a new line; empty if no name is similar. */
export function suggestName(typed: string, names: readonly string[]): string {
  const program = new Command().exitOverride().configureOutput({ writeErr: () => {} })
  for (const name of new Set(names)) program.addCommand(new Command(name))
  try {
    program.parse([typed], { from: 'user' })
    return ''
  } catch (error) {
    return /\n\(Did you mean .+\)/.exec(String(error))?.[0] ?? ''
  }
}

/** Explains a failure of a group's own command whose first word is similar to a subcommand. */
export function findMistypedCommand(
  { args, commands }: Command,
  error: unknown,
): UsageError | undefined {
  const isNotFound = error instanceof ServiceError && error.code === 'not_found'
  const [typed] = args
  if (typed === undefined || !(isNotFound || error instanceof UsageError)) return undefined
  const suggestion = suggestName(
    typed,
    commands.map((each) => each.name()),
  )
  return suggestion === ''
    ? undefined
    : new UsageError(`error: unknown command '${typed}'${suggestion}`)
}
