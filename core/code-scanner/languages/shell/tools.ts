import type { Expression, Import, Place } from '../../model/program.ts'
import { plainText } from './requests.ts'

/**
 * A command of a program with its first word that is no option, as an import: whether the program is
 * a vendor's tool is decided by the table of packages. Undefined for commands that stay on the
 * machine (`aws --version`, `gh completion`).
 */
export function toToolImport(command: {
  readonly program: string
  readonly args: readonly Expression[]
  readonly place: Place
}): Import | undefined {
  const { program: module, place } = command
  const words = command.args.map(plainText)
  if (words.length === 0 || words.some((word) => LOCAL_OPTIONS.has(word))) return undefined
  if (!/^@?[a-z][\w./-]*$/.test(module)) return undefined
  const imported = words.find((word) => !word.startsWith('-')) ?? ''
  if (LOCAL_COMMANDS.has(imported.replace(/:.*$/, ''))) return undefined
  // Releases in testing have a word of their own: `gcloud beta run deploy`.
  const isStage = imported === 'alpha' || imported === 'beta'
  return {
    module,
    local: '',
    imported: (isStage ? words[words.indexOf(imported) + 1] : imported) ?? '',
    place,
  }
}

const LOCAL_OPTIONS: ReadonlySet<string> = new Set(['--version', '--help', '-h', '--local'])

/** Commands of tools that call no API: they describe, configure, build or emulate. */
const LOCAL_COMMANDS: ReadonlySet<string> = new Set(
  `version versions help completion completions autocomplete config configure configuration init
  validate lint format fmt build dev serve start stop local offline emulator emulators synth synthesize
  docs upgrade update-cli self-update plugins plugin extension extensions alias`.split(/\s+/),
)
