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
  const { program, place } = command
  const words = command.args.map(plainText)
  const options = words.map((word) => word.replace(/=.*$/s, ''))
  // A local build of Expo reads credentials from the service. Other services have the API of S3, too.
  const isLocal = options.some(
    (option) =>
      (isLocalOption(option) && !(program === 'eas' && option === '--local')) ||
      (program === 's3cmd' && option === '--host'),
  )
  const noun = CMDLET.exec(program)?.[1]
  const module = noun === undefined ? program : `cmdlet/${noun}`
  if (isLocal || !/^@?[a-z][\w./-]*$/.test(module)) return undefined
  if (words.length === 0 && noun === undefined && !actsAlone(module)) return undefined
  const names = words.filter((word) => !word.startsWith('-'))
  // Preview commands follow their stage: `gcloud beta run deploy`.
  if (names[0] === 'alpha' || names[0] === 'beta') names.shift()
  const [first = ''] = names
  if (isLocalCommand(first.replace(/:.*$/, '')) && !isRemoteCommand(`${module}.${first}`)) {
    return undefined
  }
  const image = first === 'run' && isContainerProgram(module) ? names.find(isImage) : undefined
  if (image) return { module: image.replace(/[:@].*$/, ''), local: '', imported: '', place }
  return { module, local: '', imported: names.slice(0, 2).join('.'), place }
}

/** A command of PowerShell; its noun names the service: `Get-AzVM`. */
const CMDLET = /^[A-Z]\w+-([A-Z]\w+)$/

const isContainerProgram = matchNames('docker podman nerdctl')

/** Whether an argument of `docker run` may be the image. */
function isImage(word: string): boolean {
  return /^[a-z\d.-]+(?:\/[\w.-]+)+(?:[:@][\w.:-]+)?$/.test(word)
}

/** Programs that call an API without any argument: `coveralls < lcov.info`. */
const actsAlone = matchNames('coveralls goveralls codecov codecovcli vercel surge chromatic')

/** Commands of services that have the name of a local one. */
const isRemoteCommand = matchNames('heroku.config{,:set,:get,:unset} eas.build')

/** Options of commands that call no API, or another server than the vendor's. */
const isLocalOption = matchNames('--version --help -h --local --endpoint-url')

/** Commands that describe, configure, build or emulate. */
const isLocalCommand = matchNames(`version{,s} help completion{,s} autocomplete
  config{,ure,uration} init validate lint format fmt build dev serve start stop local offline
  emulator{,s} synth{,esize} docs upgrade update-cli self-update plugin{,s} extension{,s} alias
  components`)

/** Converts a script's URL to an import; the table of packages knows the scripts of vendors. */
export function toScriptImport(url: Expression, place: Place): readonly Import[] {
  const [, address] = /^https?:\/\/([^\s?#]+)/.exec(plainText(url)) ?? []
  if (address === undefined) return []
  return [{ module: `script/${address.replaceAll('.', '_')}`, local: '', imported: '', place }]
}

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
