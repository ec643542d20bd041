import type { CallValues, OutgoingCall } from '../calls/call.ts'
import { KEY_NAME } from '../calls/fields.ts'
import { holdsSecret } from '../shared/secret-shapes.ts'

/**
 * The value that is a secret, by its name as `login.password`: by where it stands in the call, by what
 * it or a part of it is called, or by its shape. Undefined where there is none.
 */
export function findSecret(values: CallValues, { secrets }: OutgoingCall): string | undefined {
  const given = new Set(Object.keys(values).map((name) => name.toLowerCase()))
  const found = secrets.find(({ placement, name }) => {
    const folded = name.toLowerCase()
    return given.has(folded) || given.has(`${placement.toLowerCase()}.${folded}`)
  })
  if (found) return found.name
  for (const [name, value] of Object.entries(values)) {
    const secret = findInside(value, name)
    if (secret !== undefined) return secret
  }
  return undefined
}

/** Without recursion: a value may be as deep as it is long. */
function findInside(whole: unknown, name: string): string | undefined {
  const left: Part[] = [{ value: whole, path: name, depth: 0 }]
  for (let part = left.pop(); part; part = left.pop()) {
    const { path, depth } = part
    const value = typeof part.value === 'string' ? (readJson(part.value) ?? part.value) : part.value
    if (typeof value === 'string' && holdsSecret(value)) return path
    if (typeof value !== 'object' || value === null) continue
    for (const [key, member] of Object.entries(value)) {
      if (holdsSecret(key)) return path
      const isNamed = depth < MAX_NAMED && !Array.isArray(value)
      const inner = isNamed ? `${path}.${key}` : path
      if (KEY_NAME.test(key) && !isEmpty(member)) return inner
      left.push({ value: member, path: inner, depth: depth + 1 })
    }
  }
  return undefined
}

interface Part {
  readonly value: unknown
  readonly path: string
  readonly depth: number
}

/** Deeper parts go by the name of what they are in. */
const MAX_NAMED = 9

/** Undefined for what is no JSON of an object or a list. */
function readJson(text: string): unknown {
  if (!/^\s*[{[]/.test(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === ''
}
