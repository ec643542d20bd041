import { type OptionEffect, REQUEST_PROGRAMS, type RequestProgram } from '../clients/shell.ts'
import type { Expression } from '../model/program.ts'

/** A request that a command sends. */
export interface ShellRequest {
  readonly url: Expression
  readonly method: Expression
}

/** Reads the requests that a command sends from its options; undefined for programs that send none. */
export function readRequests(command: {
  readonly program: string
  readonly args: readonly Expression[]
}): readonly ShellRequest[] | undefined {
  const known = PROGRAMS.get(command.program)
  if (!known) return undefined
  const read = readOptions(command.args, known.effects)
  const operands = read.get('url') ?? []
  if (known.forms) {
    const { url, images = [] } = findOperand(known.forms, read)
    const registries = images.flatMap((image) => registryOf(image) ?? [])
    if (registries.length > 0) {
      const distinct = new Map(registries.map((url) => [plainText(url), url])).values()
      return [...distinct].map(toProtocolRequest)
    }
    const isKnown = url && known.needs?.test(plainText(url)) === false
    return url && (isKnown ? [] : [toProtocolRequest(url)])
  }
  const isItems = known.operands !== undefined
  const verb = isItems && /^[A-Z]{3,8}$/.test(plainText(operands[0])) ? operands[0] : undefined
  const urls = verb ? operands.slice(1) : operands
  const hasItems = urls.slice(1).some((item) => BODY_ITEM.test(plainText(item)))
  const implied = hasItems ? 'post' : IMPLIED.find((effect) => read.has(effect))
  const method = verb ?? read.get('method')?.at(-1)
  return (isItems ? urls.slice(0, 1) : urls).map((url) => ({
    url: urls.length === 1 ? withScheme(url) : url,
    method: toMethod(method, implied ?? 'get', url),
  }))
}

/** A request of a protocol with methods of its own: git, registries. */
function toProtocolRequest(address: Expression): ShellRequest {
  return { url: toRegistryUrl(address), method: { kind: 'unknown', place: address.place } }
}

/** Adds a scheme to a host that ends as a file does: `curl -T "$1" paste.sh`. */
function withScheme(url: Expression): Expression {
  const isHost = url.kind === 'text' && FILE_LIKE_HOST.test(url.text)
  return isHost ? { ...url, text: `http://${url.text}` } : url
}

/** A host whose top-level domain is also the extension of a file. */
const FILE_LIKE_HOST = /^[a-z\d][a-z\d-]*(?:\.[a-z\d-]+)*\.(?:sh|rs|md|pl|py|zip)$/

/** The registry of an image, which those of Docker Hub do not name: `ghcr.io/acme/app:1`. */
function registryOf(image: Expression): Expression | undefined {
  if (image.kind === 'text') {
    const [host] = image.text.split('/', 1)
    return host && /[.:]/.test(host) && host !== image.text ? { ...image, text: host } : undefined
  }
  if (image.kind !== 'join') return image
  const end = image.parts.findIndex((part) => plainText(part).includes('/'))
  const last = image.parts[end]
  if (last?.kind !== 'text') return image
  const head = { ...last, text: last.text.slice(0, last.text.indexOf('/')) }
  return end === 0 ? registryOf(last) : { ...image, parts: [...image.parts.slice(0, end), head] }
}

/** Adds the scheme of registries to a host. */
function toRegistryUrl(host: Expression): Expression {
  const isHost = host.kind === 'text' && /^[\w-]+(?:\.[\w-]+)*(?::\d+)?$/.test(host.text)
  return isHost ? { ...host, text: `https://${host.text}` } : host
}

/** Returns the URL or the images in the first form that a command has: `repo add * url`. */
function findOperand(
  forms: readonly string[],
  read: ReadonlyMap<OptionEffect, readonly Expression[]>,
): { readonly url?: Expression | undefined; readonly images?: readonly Expression[] | undefined } {
  const operands = read.get('url') ?? []
  const tags = read.get('tag')
  const isPushed =
    read.get('push')?.every((value) => plainText(value) !== 'false') ??
    read.get('output')?.some((value) => PUSHES.test(plainText(value)))
  for (const form of forms) {
    const words = form.split(' ')
    const fits = words.every(
      (word, at) =>
        (word === '--tag' && tags) ||
        (word === '--push' && isPushed) ||
        (operands[at] && (/^(?:\*|url|image)$/.test(word) || plainText(operands[at]) === word)),
    )
    const image = operands[words.indexOf('image')]
    if (fits) return { url: operands[words.indexOf('url')], images: image ? [image] : tags }
  }
  return {}
}

/** A value of `--output` that pushes an image. */
const PUSHES = /\b(?:type=registry|push=true)\b/

/** Returns the known text of a value; unknown parts are `{}`. */
export function plainText(value: Expression | undefined): string {
  if (value?.kind === 'text') return value.text
  if (value?.kind === 'join') return value.parts.map(plainText).join('')
  return '{}'
}

const PROGRAMS = new Map(REQUEST_PROGRAMS.flatMap(indexProgram))

/** Effects that decide the method, the strongest first. */
const IMPLIED = ['get', 'put', 'head', 'post'] as const

/** A field of HTTPie's body: `name=x`, `count:=1`, `file@path`; `q==x` is of the query. */
const BODY_ITEM = /^[\w.[\]-]+(?::?=(?!=)|@)/

interface IndexedProgram {
  readonly operands: RequestProgram['operands'] | undefined
  readonly forms: RequestProgram['forms'] | undefined
  readonly needs: RequestProgram['needs'] | undefined
  readonly effects: ReadonlyMap<string, OptionEffect>
}

function indexProgram(row: RequestProgram): readonly (readonly [string, IndexedProgram])[] {
  const entries = Object.entries(row.options) as [OptionEffect, string][]
  const effects = new Map(
    entries.flatMap(([effect, names]) => names.split(/\s+/).map((name) => [name, effect] as const)),
  )
  const { operands, forms, needs } = row
  return row.programs.split(' ').map((program) => [program, { operands, forms, needs, effects }])
}

/** Groups the values of a command by the effect of their options; operands are URLs. */
function readOptions(
  args: readonly Expression[],
  effects: IndexedProgram['effects'],
): ReadonlyMap<OptionEffect, readonly Expression[]> {
  const values = new Map<OptionEffect, Expression[]>()
  const add = (effect: OptionEffect, ...added: readonly Expression[]) => {
    values.set(effect, [...(values.get(effect) ?? []), ...added])
  }
  let open: OptionEffect | undefined
  for (const arg of args) {
    const word = plainText(arg)
    if (open || !/^-./s.test(word)) {
      add(open ?? 'url', arg)
      open = undefined
      continue
    }
    for (const { effect, end } of splitOptions(word, effects)) {
      const value = end < word.length ? cut(arg, end) : undefined
      // An effect counts even if its value is missing.
      add(effect, ...(value ? [value] : []))
      if (!value && !isFlag(effect)) open = effect
    }
  }
  return values
}

/** Finds the options of a word, with the index at which the value begins: `--url=x`, `-sSXPOST`. */
function splitOptions(
  word: string,
  effects: IndexedProgram['effects'],
): readonly { readonly effect: OptionEffect; readonly end: number }[] {
  const [, name = word] = /^(--?[\w-]{2,})=/.exec(word) ?? []
  // PowerShell ignores the case of names.
  const whole = effects.get(name) ?? (name.length > 2 ? effects.get(name.toLowerCase()) : undefined)
  if (whole) return [{ effect: whole, end: name === word ? word.length : name.length + 1 }]
  if (word.startsWith('--')) return []
  const found: { effect: OptionEffect; end: number }[] = []
  for (let at = 1; at < word.length; at += 1) {
    const effect = effects.get(`-${word[at]}`)
    if (!effect) continue
    found.push({ effect, end: at + 1 })
    if (!isFlag(effect)) break
  }
  return found
}

/** Whether an option takes no value. */
function isFlag(effect: OptionEffect): boolean {
  return effect === 'get' || effect === 'head' || effect === 'push'
}

/** Removes the first characters of a value, which are literal. */
function cut(value: Expression, length: number): Expression | undefined {
  if (value.kind === 'text') {
    const { place } = value
    const moved = { ...place, index: place.index + length, column: place.column + length }
    return { kind: 'text', text: value.text.slice(length), place: moved }
  }
  if (value.kind !== 'join') return undefined
  const [first, ...rest] = value.parts
  const head = first && cut(first, length)
  return head && { ...value, parts: [head, ...rest], place: head.place }
}

function toMethod(
  sent: Expression | undefined,
  implied: string,
  { place }: Expression,
): Expression {
  const word = plainText(sent)
  return { kind: 'text', text: /^[A-Za-z]+$/.test(word) ? word.toLowerCase() : implied, place }
}
