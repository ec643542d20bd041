import { isMembers, type Members } from '../reading/values.ts'
import type { SchemaIssue, ValidateJson } from './json-validator.ts'

/**
 * Creates a validator that takes linear time for long lists (`services`, `components`, …). It
 * splits them into batches, because the schema compares every item of a list with every other. It
 * finds equal items itself, and uses `validate` to check whether the list allows them.
 */
export function createBatchedValidator(validate: ValidateJson): ValidateJson {
  return async (document) => {
    const long = isMembers(document) ? findLongLists(document) : []
    if (!isMembers(document) || long.length === 0) return validate(document)
    const first = long.map(([name, items]) => [name, items.slice(0, BATCH_SIZE)] as const)
    const issues = await validate({ ...document, ...Object.fromEntries(first) })
    if (issues.length > 0) return issues
    const { bomFormat, specVersion } = document
    for (const [name, items] of long) {
      for (let start = BATCH_SIZE; start < items.length; start += BATCH_SIZE) {
        const batch = items.slice(start, start + BATCH_SIZE)
        const found = await validate({ bomFormat, specVersion, [name]: batch })
        if (found.length > 0) return found.map((issue) => shiftIndex(issue, { name, start }))
      }
      const equal = findEqualItems(items)
      if (!equal) continue
      const pair = equal.map((index) => items[index])
      const found = await validate({ bomFormat, specVersion, [name]: pair })
      if (found.some(({ keyword }) => keyword === UNIQUE))
        return [createDuplicateIssue(name, equal)]
    }
    return []
  }
}

/** Small enough to compare each item with every other within milliseconds. */
const BATCH_SIZE = 250

function findLongLists(document: Members): readonly (readonly [string, readonly unknown[]])[] {
  return Object.entries(document).flatMap(([name, value]) =>
    Array.isArray(value) && value.length > BATCH_SIZE ? [[name, value] as const] : [],
  )
}

/** Replaces an issue's index in the batch by its index in the whole list. */
function shiftIndex(
  issue: SchemaIssue,
  { name, start }: { readonly name: string; readonly start: number },
): SchemaIssue {
  const [, member, index, ...rest] = issue.pointer.split('/')
  if (member !== name || index === undefined) return issue
  const pointer = ['', member, String(Number(index) + start), ...rest].join('/')
  return { ...issue, pointer }
}

const UNIQUE = 'uniqueItems'

function createDuplicateIssue(
  name: string,
  [first, second]: readonly [number, number],
): SchemaIssue {
  return {
    pointer: `/${name}`,
    keyword: UNIQUE,
    message: `must NOT have duplicate items (items ## ${first} and ${second} are identical)`,
    params: { i: second, j: first },
  }
}

/** Returns the indexes of the first two equal items, regardless of member order. */
function findEqualItems(items: readonly unknown[]): readonly [number, number] | undefined {
  const known = new Map<string, number>()
  for (const [index, item] of items.entries()) {
    const text = JSON.stringify(item, sortMembers)
    const other = known.get(text)
    if (other !== undefined) return [other, index]
    known.set(text, index)
  }
  return undefined
}

function sortMembers(_: string, value: unknown): unknown {
  if (!isMembers(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}
