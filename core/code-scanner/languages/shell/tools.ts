import type { Binding, Expression, Import, Place } from '../../model/program.ts'
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
  if (words.length === 0 || words.some((word) => LOCAL_OPTIONS.has(word.replace(/=.*$/s, ''))))
    return undefined
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

const LOCAL_OPTIONS: ReadonlySet<string> = new Set([
  '--version',
  '--help',
  '-h',
  '--local',
  // Another server than the vendor's.
  '--endpoint-url',
])

/** Commands of tools that call no API: they describe, configure, build or emulate. */
const LOCAL_COMMANDS: ReadonlySet<string> = new Set(
  `version versions help completion completions autocomplete config configure configuration init
  validate lint format fmt build dev serve start stop local offline emulator emulators synth synthesize
  docs upgrade update-cli self-update plugins plugin extension extensions alias components`.split(
    /\s+/,
  ),
)

/** Addresses that a command gives to names: `docker run -e API_URL=https://…`, `--url=https://…`. */
export function findGivenAddresses(args: readonly Expression[]): readonly Omit<Binding, 'scope'>[] {
  return args.flatMap((value): readonly Omit<Binding, 'scope'>[] => {
    if (value.kind !== 'text') return []
    const { place } = value
    const [, name, url] =
      /^(?:--[\w-]+=|-\w)?(?:--)?([\w.-]+)=(https?:\/\/\S+)$/.exec(value.text) ?? []
    return name && url && !/registry|docker|repo|mirror/i.test(name)
      ? [toAddress({ name, url, place })]
      : []
  })
}

/** Addresses under names in a here-document: `api_url: https://…`, `"url": "https://…"`. */
export function findWrittenAddresses(
  text: string,
  place: Place,
): readonly Omit<Binding, 'scope'>[] {
  let start = place.index
  return text.split('\n').flatMap((line, row): readonly Omit<Binding, 'scope'>[] => {
    const index = start
    start += line.length + 1
    if (/^\s*(?:#|\/\/)/.test(line)) return []
    return [...line.matchAll(NAMED_URL)].map((match) => {
      const [whole, name = '', url = ''] = match
      const column = match.index + whole.length - url.length + 1
      const at = { index: index + column, line: place.line + row, column }
      return toAddress({ name, url, place: at })
    })
  })
}

const NAMED_URL =
  /["']?(?<![\w.-])([\w.-]{1,80})["']?\s{0,9}[:=]\s{0,9}["']?(https?:\/\/[^\s"',;`)}<>]+)/g

function toAddress(given: {
  readonly name: string
  readonly url: string
  readonly place: Place
}): Omit<Binding, 'scope'> {
  const { name, url, place } = given
  // What a variable says is unknown here.
  const known = url.replace(/\$.*$/s, '')
  const parts: readonly Expression[] = [
    { kind: 'text', text: known, place },
    { kind: 'unknown', place },
  ]
  const value: Expression =
    known === url ? { kind: 'text', text: url, place } : { kind: 'join', parts, place }
  return { name: name.replaceAll(/[.-]/g, '_'), value, kind: 'variable', isExported: false, place }
}
