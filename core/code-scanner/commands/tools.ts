import { matchNames } from '../model/name-patterns.ts'
import type { Binding, Expression, Import, Place } from '../model/program.ts'
import { plainText } from './requests.ts'

/**
 * Converts a command to an import of its program and first word; the table of packages knows which
 * programs are vendors' tools. Undefined for commands that call no API: `aws --version`.
 */
export function toToolImport(command: {
  readonly program: string
  readonly args: readonly Expression[]
  readonly place: Place
}): Import | undefined {
  const { program: module, place } = command
  const words = command.args.map(plainText)
  const isLocal = words.some((word) => isLocalOption(word.replace(/=.*$/s, '')))
  if (words.length === 0 || isLocal || !/^@?[a-z][\w./-]*$/.test(module)) return undefined
  const [first = '', second = ''] = words.filter((word) => !word.startsWith('-'))
  if (isLocalCommand(first.replace(/:.*$/, ''))) return undefined
  // Preview commands follow their stage: `gcloud beta run deploy`.
  const imported = first === 'alpha' || first === 'beta' ? second : first
  return { module, local: '', imported, place }
}

/** Options of commands that call no API, or another server than the vendor's. */
const isLocalOption = matchNames('--version --help -h --local --endpoint-url')

/** Commands that describe, configure, build or emulate. */
const isLocalCommand = matchNames(`version{,s} help completion{,s} autocomplete
  config{,ure,uration} init validate lint format fmt build dev serve start stop local offline
  emulator{,s} synth{,esize} docs upgrade update-cli self-update plugin{,s} extension{,s} alias
  components`)

type Address = Omit<Binding, 'scope'>

/** Finds URLs that arguments assign: `docker run -e API_URL=https://…`, `--url=https://…`. */
export function findAddresses(args: readonly Expression[]): readonly Address[] {
  return args.flatMap((value): readonly Address[] => {
    if (value.kind !== 'text') return []
    const [, name, url] = ASSIGNED_URL.exec(value.text) ?? []
    return name && url && !/registry|docker|repo|mirror/i.test(name)
      ? [toAddress({ name, url, place: value.place })]
      : []
  })
}

const ASSIGNED_URL = /^(?:--[\w-]+=|-\w)?(?:--)?([\w.-]+)=(https?:\/\/\S+)$/

/** Finds URLs with a key in a here-document: `api_url: https://…`, `"url": "https://…"`. */
export function findWrittenAddresses(text: string, place: Place): readonly Address[] {
  let start = place.index
  return text.split('\n').flatMap((line, row): readonly Address[] => {
    const index = start
    start += line.length + 1
    if (/^\s*(?:#|\/\/)/.test(line)) return []
    return [...line.matchAll(KEYED_URL)].map((match) => {
      const [whole, name = '', url = ''] = match
      const column = match.index + whole.length - url.length + 1
      const at = { index: index + column, line: place.line + row, column }
      return toAddress({ name, url, place: at })
    })
  })
}

const KEYED_URL =
  /["']?(?<![\w.-])([\w.-]{1,80})["']?\s{0,9}[:=]\s{0,9}["']?(https?:\/\/[^\s"',;`)}<>]+)/g

function toAddress(address: { name: string; url: string; place: Place }): Address {
  const { name, url, place } = address
  // Variables are unknown.
  const text = url.replace(/\$.*$/s, '')
  const known: Expression = { kind: 'text', text, place }
  const value: Expression =
    text === url ? known : { kind: 'join', parts: [known, { kind: 'unknown', place }], place }
  return { name: name.replaceAll(/[.-]/g, '_'), value, kind: 'variable', isExported: false, place }
}
