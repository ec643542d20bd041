import type { ClientRows } from '../model/client-rows.ts'
import { lastName } from '../model/name-patterns.ts'
import type { ArgumentPlace, ClientRule } from '../model/program.ts'
import { expandNames, parseRow, type RowCall, splitList, toRecord, VERBS } from './parse-row.ts'

/** Parses the clients of a language. Throws a `SyntaxError` that quotes an invalid row. */
export function parseClients(clients: readonly ClientRows[]): readonly ClientRule[] {
  return clients.flatMap((group) => {
    const common = {
      ...(group.from !== undefined && { from: splitList(group.from) }),
      ...(group.base !== undefined && { fixedBase: group.base }),
      ...(group.opensFiles && { opensFiles: true as const }),
      ...(group.fetchesFile && { fetchesFile: true as const }),
      ...(group.isWrapper && { wrapper: group.rows }),
    }
    const makers = toMakers(splitList(group.receiver ?? '').flatMap(parseRow))
    const shared = splitList(group.with ?? '').map(parseSetter)
    return splitList(group.rows).flatMap((row) => toRules(row, { common, makers, shared }))
  })
}

const FIRST: ArgumentPlace = { at: 0 }

/** A position that no call has. */
const NOWHERE: ArgumentPlace = { name: '' }

/** Calls that create a client, with the same position of the base. */
interface Maker extends Pick<ClientRule, 'receiver' | 'base' | 'baseFrom' | 'methodFrom'> {
  /** Position of the whole URL, if it is an argument of the construction. */
  readonly url?: ArgumentPlace
}

type Setters = Pick<ClientRule, 'methodFrom' | 'baseFrom' | 'pathFrom'>

function toRules(
  row: string,
  group: {
    readonly common: Pick<
      ClientRule,
      'from' | 'fixedBase' | 'opensFiles' | 'fetchesFile' | 'wrapper'
    >
    readonly makers: readonly Maker[]
    readonly shared: readonly Setters[]
  },
): readonly ClientRule[] {
  const calls = parseRow(row)
  const main = Math.max(0, calls.findIndex(isMain))
  const call = calls[main]
  const makers = main > 0 ? toMakers(calls.slice(0, main)) : group.makers
  const after = calls.slice(main + 1).map(toSetters)
  if (
    !call ||
    !(
      isMain(call) ||
      call.places.path ||
      call.places.base ||
      makers.some((one) => one.url ?? one.base)
    )
  ) {
    throw new SyntaxError(`Invalid row "${row.slice(0, 200)}": no parameter is named url`)
  }
  const verb = calls[0]?.verb
  // In a row with a base, the parameter may be named path.
  const { method, base, path, url = path } = call.places
  const isOnUrl = call.callee.startsWith('url.')
  return expandNames(isOnUrl ? call.callee.slice(3) : call.callee).flatMap((callee) => {
    const isOnMaker = makers.length > 0 && /^(?:[.@]|$)/.test(callee)
    const setters = mergeSetters(
      isOnMaker || makers.length === 0 ? [...after, ...group.shared] : after,
    )
    const rule: ClientRule = {
      callee: callee === '' ? '()' : callee,
      ...group.common,
      method: method ?? verb ?? methodOfName(callee) ?? NOWHERE,
      ...(method && verb !== undefined && { defaultMethod: verb }),
      url: isOnUrl ? { isReceiver: true } : (url ?? NOWHERE),
      ...(base && { base }),
      ...setters,
    }
    if (!isOnMaker) return [rule]
    return makers.flatMap(({ url: made, ...maker }) => {
      const whole = {
        ...rule,
        ...maker,
        ...mergeSetters([maker, setters]),
        ...(!url && made && { url: made }),
      }
      return base && maker.base ? [whole, { ...whole, base }] : [whole]
    })
  })
}

/** Whether a call of a row has the URL as an argument or as its receiver. */
function isMain({ callee, places }: RowCall): boolean {
  return places.url !== undefined || callee.startsWith('url.')
}

/** Groups calls that create clients by their arguments. */
function toMakers(calls: readonly RowCall[]): readonly Maker[] {
  const makers = new Map<string, Maker & { receiver: string[] }>()
  for (const { callee, places } of calls) {
    const names = expandNames(callee)
    const { url, method, base } = places
    const field = base?.key ?? base?.name
    const key = JSON.stringify([url, method, base])
    const maker = makers.get(key) ?? {
      receiver: [],
      ...(base && { base }),
      ...(field !== undefined && { baseFrom: { [field]: FIRST } }),
      ...(method && { methodFrom: toRecord(names.map(lastOf), method) }),
      ...(url && { url: { isReceiver: true as const, madeBy: toRecord(names, url) } }),
    }
    maker.receiver.push(...names)
    makers.set(key, maker)
  }
  return [...makers.values()]
}

function parseSetter(text: string): Setters {
  const [field = '', value] = text.split(' = ')
  if (value === undefined) return mergeSetters(parseRow(text).map(toSetters))
  if (value !== 'method' && value !== 'base') {
    throw new SyntaxError(`Invalid field "${text.slice(0, 200)}": it must be = method or = base`)
  }
  return value === 'method' ? { methodFrom: { [field]: FIRST } } : { baseFrom: { [field]: FIRST } }
}

function toSetters({ verb, callee, places }: RowCall): Setters {
  const { base, method, path } = places
  const names = expandNames(callee)
  if (path) return { pathFrom: toRecord(names, path) }
  if (method) return { methodFrom: toRecord(names, method) }
  if (base) {
    const isOwn = /^\.|^@/.test(callee)
    const keys = names.map((name) => (isOwn ? name : `${name.replace(/^\*\*/, '')}()`))
    return { baseFrom: toRecord(keys, base) }
  }
  const methods = names.map((name) => [name, verb ?? methodOfName(name)] as const)
  return {
    methodFrom: Object.fromEntries(methods.flatMap(([name, sent]) => (sent ? [[name, sent]] : []))),
  }
}

function mergeSetters(all: readonly Setters[]): Setters {
  const merged: { -readonly [Key in keyof Setters]: Setters[Key] } = {}
  for (const { methodFrom, baseFrom, pathFrom } of all) {
    if (methodFrom) merged.methodFrom = { ...merged.methodFrom, ...methodFrom }
    if (baseFrom) merged.baseFrom = { ...merged.baseFrom, ...baseFrom }
    if (pathFrom) merged.pathFrom = { ...merged.pathFrom, ...pathFrom }
  }
  return merged
}

function lastOf(name: string): string {
  return `.${lastName(name)}`
}

/** Returns the last method in a name: `postForm`, `new HttpGet`, `Net.HTTP.Get.new`. */
function methodOfName(callee: string): string | undefined {
  const words = callee.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? []
  const found = words.findLast((word) => METHOD_WORDS.has(word.toLowerCase()))
  return found?.toLowerCase()
}

const METHOD_WORDS: ReadonlySet<string> = new Set(VERBS)
