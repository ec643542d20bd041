import { hasReferences, type Pattern, toText } from '../model/pattern.ts'
import type { Call, Expression, Place } from '../model/program.ts'
import { hasSlash, isWritten } from './expressions.ts'
import type { Names, ScopedValue } from './names.ts'

/**
 * Finds where the path of a request is written, if that is a variable of the same function some
 * lines from the call. A text with a scheme is a finding of its own.
 */
export function findDistantPath(call: Call, url: Pattern, names: Names): Place | undefined {
  // Another file may add to what is written here.
  const text = hasReferences(url) ? undefined : toText(url)
  const owner = names.functionOf(call.scope)
  const queue = partsOfCall(call).map((value): ScopedValue => ({ value, scope: call.scope }))
  // The queue grows meanwhile.
  for (const [at, { value, scope }] of queue.entries()) {
    if (at === MAX_VALUES) break
    if (value.kind === 'name') {
      for (const found of names.find(value.name, { scope, index: value.place.index })) {
        if (found.kind !== 'value' || names.functionOf(found.binding.scope) !== owner) continue
        queue.push({ value: found.binding.value, scope: found.binding.scope })
      }
      continue
    }
    if (isWritten(value) && hasSlash(value)) {
      const words = textsOf(value)
      if (words.some((word) => SCHEME.test(word))) return undefined
      if (words.some((word) => word.length > 2 && (text?.includes(word) ?? word.startsWith('/')))) {
        return Math.abs(value.place.line - call.place.line) > NEAR ? value.place : undefined
      }
    }
    queue.push(...partsOf(value).map((part) => ({ value: part, scope })))
  }
  return undefined
}

function partsOfCall({ receiver, args, named }: Call): readonly Expression[] {
  return [...args, ...Object.values(named), ...(receiver ? [receiver] : [])]
}

function partsOf(value: Expression): readonly Expression[] {
  switch (value.kind) {
    case 'join':
    case 'path':
      return value.parts
    case 'format':
      return [value.format, ...value.values]
    case 'either':
      return value.options
    case 'record':
      return Object.values(value.entries)
    case 'call':
      return partsOfCall(value.call)
    default:
      return []
  }
}

/** The texts of a written value, without the marks of values in formats. */
function textsOf(value: Expression): readonly string[] {
  if (value.kind === 'text') return value.text.split(/%[a-z]|\{\w*\}/)
  return partsOf(value).flatMap((part) => (isWritten(part) ? textsOf(part) : []))
}

const SCHEME = /^\s*(?:https?|wss?):\/\//i

/** Number of lines around a call that are read together with it. */
const NEAR = 3

/** Most values that are searched for one path. */
const MAX_VALUES = 60
