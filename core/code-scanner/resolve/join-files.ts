import { ownEntry } from '../model/collections.ts'
import type {
  Candidate,
  ExternalCall,
  FileScan,
  UnresolvedReference,
  WrappedCall,
} from '../model/file-scan.ts'
import {
  beginningOf,
  fillReferences,
  fromReference,
  hasReferences,
  hasScheme,
  hasSlots,
  isSamePattern,
  joinSegments,
  type Pattern,
  referencesIn,
  replaceHead,
  startsWithReference,
  toText,
  UNKNOWN,
  uniquePatterns,
} from '../model/pattern.ts'
import {
  fieldOf,
  fillBy,
  isAddress,
  ownerIn,
  pathPlaceOf,
  scriptMethod,
  valueAt,
} from './argument-values.ts'
import { type ClassPlace, indexClassLines } from './class-hierarchy.ts'
import { toDescribedUrls } from './described-requests.ts'
import { createFinder, type Found, MAX_DEPTH, MAX_LINE } from './find-exported.ts'
import { joinGiven, joinsUrl, mergePaths, tidyJoint, withPresets } from './joined-urls.ts'
import { indexModules, nearest } from './module-names.ts'
import { belowOwnBase } from './own-base.ts'
import { CONNECTOR } from './request-classes.ts'

/** Explains the names of files by each other. */
export interface FileJoiner {
  /** A file's candidates and what its pending calls come to, references filled. */
  candidatesOf(file: FileScan): readonly Candidate[]
}

/** Creates a joiner of the files of a project. */
export function joinFiles(files: readonly FileScan[]): FileJoiner {
  const modules = indexModules(files)
  const lines = indexClassLines(files, modules)
  const find = createFinder(modules)
  /** Most that was given elsewhere for one name of what is being read. */
  let choices = 1
  /** How many references may still be read for one pattern: they may multiply from file to file. */
  let left = MAX_READ

  function textOf(
    index: number,
    { file, depth, view }: { file: FileScan; depth: number; view: View },
  ): Pattern | undefined {
    const reference = file.references[index]
    if (!reference || depth > MAX_DEPTH || left === 0) return undefined
    left -= 1
    const read = (text: Pattern, place: FileScan) =>
      fillReferences(text, (inner) => textOf(inner, { file: place, depth: depth + 1, view }))
    const { of } = view
    const isOwn =
      of && reference.enclosingClass !== undefined && lines.isOf(of, reference.enclosingClass)
    const own = isOwn ? memberOf(of, reference, read) : undefined
    if (own !== undefined) return own
    if (reference.parameter) {
      return givenTo(reference, file, { read, view }) ?? find(reference, file)?.exported.value
    }
    const isResult = reference.name.endsWith('()')
    const found = find(
      isResult ? { ...reference, name: reference.name.slice(0, -2) } : reference,
      file,
    )
    if (!found && isResult && reference.args?.length && joinsUrl(reference.name)) {
      return joinGiven(reference.args.map(({ value }) => read(value, file)))
    }
    if (!found) return undefined
    const text = isResult ? found.exported.returns : found.exported.value
    if (text === undefined) return undefined
    return read(isResult ? fillBy(text, reference.args ?? []) : text, found.file)
  }

  /** What a class says itself, or one that it extends, for a member that those above it ask for. */
  function memberOf(
    of: ClassPlace,
    reference: UnresolvedReference,
    read: Reader,
  ): Pattern | undefined {
    const { parameter: slot, args = [] } = reference
    const isResult = reference.name.endsWith('()')
    const plain = isResult ? reference.name.slice(0, -2) : reference.name
    const member = slot && plain.startsWith('@new ') ? '@super' : plain.replace(/^\^\./, '')
    for (const { name, file } of lines.lineOf(of)) {
      const known = ownEntry(file.exports, `${name}.${member}`) ?? fieldOf(member, { name, file })
      if (!known) continue
      if (slot && known.argumentLists) {
        const [value] = known.argumentLists.flatMap((given) => valueAt(given, slot) ?? [])
        if (value !== undefined) return read(value, file)
        continue
      }
      if (isResult && known.returns !== undefined) return read(fillBy(known.returns, args), file)
      if (known.value !== undefined) return read(known.value, file)
      if (known.returns !== undefined) return read(known.returns, file)
    }
    return undefined
  }

  /** What the files of the project give to a constructor or a setter: one of several. */
  function givenTo(
    reference: UnresolvedReference,
    from: FileScan,
    { read, view }: { readonly read: Reader; readonly view: View },
  ): Pattern | undefined {
    const { parameter: slot, enclosingClass: owner = '' } = reference
    const found: Pattern[] = []
    if (!slot) return undefined
    const name = reference.name.replace(/^\^/, owner)
    const all = modules.findAll(name, from)
    for (const file of name === CONNECTOR ? nearest(all, from) : all) {
      const known = ownEntry(file.exports, name)
      const [made] = known?.baseClasses ?? []
      const isIt =
        !made || !owner || lines.mayMean(made, { from: file, owner: { name: owner, file: from } })
      const given = isIt ? (known?.argumentLists ?? []) : []
      for (const args of found.length < MAX_CHOICES ? given : []) {
        const value = valueAt(args, slot)
        const text = value === undefined ? undefined : read(value, file)
        if (text === undefined || beginningOf(text).startsWith(UNKNOWN)) continue
        if (!found.some((one) => isSamePattern(one, text))) found.push(text)
      }
    }
    const texts = found.slice(0, MAX_CHOICES)
    choices = Math.max(choices, texts.length)
    return texts[Math.min(view.pick, texts.length - 1)]
  }

  function fill(pattern: Pattern, file: FileScan, view: View = { pick: 0 }): Pattern {
    left = MAX_READ
    const filled = fillReferences(pattern, (index) => textOf(index, { file, depth: 0, view }))
    return tidyJoint(filled)
  }

  /** Requests of a class in its subclasses, where they define the path but do not send it. */
  function belowOf(one: Candidate, file: FileScan): readonly Candidate[] {
    const owner = one.via === 'call' ? ownerIn(one.url, file) : undefined
    return (owner ? lines.below(owner) : []).flatMap((heir) => {
      const place = pathPlaceOf(one.url, { file, heir })
      if (!place || sendsInherited(heir)) return []
      const url = fill(one.url, file, { of: heir, pick: 0 })
      return isAddress(url) ? [{ ...one, ...place, url, file: heir.file.path }] : []
    })
  }

  /** Whether a class calls an inherited method that sends a request. */
  function sendsInherited({ name, file }: ClassPlace): boolean {
    return file.externalCalls.some(
      ({ callerClass, target }) => callerClass === name && find(target, file)?.exported.calls,
    )
  }

  /** All that a pattern comes to: by what is given elsewhere, in the place of each class. */
  function fillAll(pattern: Pattern, file: FileScan, of?: ClassPlace): readonly Pattern[] {
    if (!hasReferences(pattern)) return [tidyJoint(pattern)]
    const found = fillEach(pattern, file, of)
    // What callers say, they are found by.
    if (found.some(isAddress) || hasSlots(pattern)) return found
    const owner = of ?? ownerIn(pattern, file)
    const heirs = owner ? lines.below(owner) : []
    const below = uniquePatterns(heirs.flatMap((heir) => fillEach(pattern, file, heir))).filter(
      isAddress,
    )
    if (below.length > 0) return mergePaths(below).slice(0, MAX_CHOICES)
    const base = of && siblingBase(pattern, file)
    return base === undefined ? found : fillEach(base, file, of)
  }

  /** A pattern whose base is the only one that the classes below say which have one. */
  function siblingBase(pattern: Pattern, file: FileScan): Pattern | undefined {
    const [head] = startsWithReference(pattern) ? referencesIn(pattern) : []
    const owner = head === undefined ? undefined : ownerIn(pattern, file)
    if (head === undefined || !owner) return undefined
    const heirs = lines.below(owner)
    const bases = uniquePatterns(
      heirs.map((of) => fill(fromReference(head), file, { of, pick: 0 })),
    )
    const [base, other] = bases.filter(isAddress)
    return base === undefined || other !== undefined ? undefined : replaceHead(pattern, base)
  }

  function fillEach(pattern: Pattern, file: FileScan, of?: ClassPlace): readonly Pattern[] {
    const found: Pattern[] = []
    choices = 1
    for (let pick = 0; pick < choices; pick += 1) {
      found.push(fill(pattern, file, of ? { of, pick } : { pick }))
    }
    return uniquePatterns(found)
  }

  /** The calls that a function makes, by those that it hands its parameters on to as well. */
  function callsOf({ exported, file }: Found, depth: number): readonly WrappedCall[] {
    const own = exported.calls ?? []
    if (depth > MAX_LINE || !exported.forwards) return own
    const passed = exported.forwards.flatMap(({ target, member, args }) => {
      const { module, name } = target
      const whole = member === '' ? target : { module, name: `${name}.${member}` }
      const found = find(whole, file)
      if (!found) return []
      const given = args.map((arg) => ({ ...arg, value: fill(arg.value, file) }))
      return callsOf(found, depth + 1).map(({ url, method }) => ({
        url: fill(fillBy(url, given), found.file),
        method: method === undefined ? undefined : fill(fillBy(method, given), found.file),
      }))
    })
    return [...own, ...passed].slice(0, MAX_CALLS)
  }

  function pendingOf(call: ExternalCall, file: FileScan): readonly Candidate[] {
    const made = (url: Pattern, method: Pattern | undefined): Candidate => ({
      ...{ url, method, via: 'call', line: call.line, column: call.column },
      ...{ confidence: 0.85, needsCatalogue: false },
    })
    if (call.describesRequest) {
      return toDescribedUrls(call, { file, find, fill }).map((url) => made(url, undefined))
    }
    const found = find(call.target, file)
    const client = found?.exported.client
    const rule = client && call.rules.find(({ receivers }) => receivers.includes(client.callee))
    if (found && client && rule) {
      const base = fill(client.base, found.file)
      const url = fill(rule.url, file)
      const whole = hasScheme(url) || base === '' ? url : joinSegments([base, url])
      return [made(whole, rule.method && fill(rule.method, file))]
    }
    const { module, name } = call.target
    const member = call.member === '' ? name : `${name}${name === '' ? '' : '.'}${call.member}`
    const target = call.member === '' ? found : find({ module, name: member }, file)
    if (!target) return []
    const calls = callsOf(target, 0)
    const args = call.args.map((arg) => ({ ...arg, value: fill(arg.value, file) }))
    const of = call.callerClass === undefined ? undefined : { name: call.callerClass, file }
    return calls.flatMap(({ url, method }) => {
      const plain = toText(fill(url, target.file))
      const own = method === undefined ? undefined : fill(fillBy(method, args), target.file)
      const sent = scriptMethod(call) ?? own
      const open = fillBy(url, args)
      // The call's own base goes before those of its class.
      const all = call.base ? [fill(open, target.file)] : fillAll(open, target.file, of)
      return all.flatMap((filled) => {
        const isWhole = call.base === undefined || hasScheme(filled)
        const whole = isWhole ? filled : belowOwnBase(fill(call.base, file), filled)
        // A call that adds nothing to the request of its function repeats it.
        const isTelling = !isSamePattern(sent, method) || toText(whole) !== plain
        const place = of && pathPlaceOf(url, { file: target.file, heir: of })
        const request = made(whole, sent)
        return isTelling ? [request, ...(place ? [{ ...request, ...place }] : [])] : []
      })
    })
  }

  return {
    candidatesOf(file) {
      const own = file.candidates.flatMap((one) => {
        const of = one.callerClass === undefined ? undefined : { name: one.callerClass, file }
        const method = one.method === undefined ? undefined : fill(one.method, file)
        const urls = fillAll(one.url, file, of).map(withPresets)
        const here = urls.map((url) => ({ ...one, url, method }))
        return [...here, ...belowOf({ ...one, method }, file)]
      })
      const told = file.externalCalls.flatMap((call) => pendingOf(call, file))
      const places = new Set(told.flatMap(({ line, url }) => (isAddress(url) ? [line] : [])))
      return [...own.filter(({ isGuess, line }) => !isGuess || !places.has(line)), ...told]
    },
  }
}

/** In whose place names are read, and which of several values is taken. */
interface View {
  readonly of?: ClassPlace
  readonly pick: number
}

/** Fills the references of a pattern of a file. */
type Reader = (pattern: Pattern, file: FileScan) => Pattern

/** Most values of what several places give. */
const MAX_CHOICES = 4

/** Most references that are read for one pattern. */
const MAX_READ = 500

/** Most calls that one function makes. */
const MAX_CALLS = 12
