import type { SchemaIssue, ValidateJson } from '../cyclonedx/json-validator.ts'
import { isMembers, type Members } from '../reading/values.ts'
import { type Explanation, explainIssue } from './explanations.ts'

/** Maximum number of explained issues per document. */
const MAX_EXPLAINED = 50

/**
 * Explains why a document is invalid. The validator stops at the first issue, so its value is
 * removed from a copy, which is validated again until no issue is left.
 */
export async function explainJson(
  document: unknown,
  validate: ValidateJson,
): Promise<readonly Explanation[]> {
  const found: Explanation[] = []
  const copy: unknown = structuredClone(document)
  /** Original indexes of array items, as removals shift them. */
  const originalIndexes = new Map<readonly unknown[], number[]>()
  const takenOut = new Set<string>()
  for (let round = 0; round < MAX_EXPLAINED; round += 1) {
    const issue = chooseDeepestIssue(await validate(copy))
    if (!issue) break
    const path = parsePointer(issue.pointer)
    const originalPointer = toOriginalPointer(copy, path)
    // The missing member may have been removed here because it was invalid.
    const missing = `${originalPointer}/${String(issue.params.missingProperty)}`
    if (!takenOut.has(missing)) found.push(explainIssue(issue, originalPointer))
    if (!removeInvalid(copy, issue, path)) break
    takenOut.add(originalPointer)
  }
  return found

  function toOriginalPointer(from: unknown, path: readonly string[]): string {
    let pointer = ''
    let value = from
    for (const name of path) {
      const index = Array.isArray(value) ? originalIndexes.get(value)?.[Number(name)] : undefined
      pointer += `/${(index === undefined ? name : String(index)).replaceAll('~', '~0').replaceAll('/', '~1')}`
      value = getMember(value, name)
    }
    return pointer
  }

  function removeInvalid(root: unknown, issue: SchemaIssue, path: readonly string[]): boolean {
    const unknown = issue.params.additionalProperty
    if (issue.keyword === 'additionalProperties' && typeof unknown === 'string') {
      return removeMember(path.reduce(getMember, root), unknown)
    }
    const parent = path.slice(0, -1).reduce(getMember, root)
    const name = path.at(-1)
    return name !== undefined && removeMember(parent, name)
  }

  function removeMember(parent: unknown, name: string): boolean {
    if (Array.isArray(parent)) {
      const indexes = originalIndexes.get(parent) ?? parent.map((_, index) => index)
      originalIndexes.set(parent, indexes)
      indexes.splice(Number(name), 1)
      return parent.splice(Number(name), 1).length > 0
    }
    return isMembers(parent) && Object.hasOwn(parent, name) && Reflect.deleteProperty(parent, name)
  }
}

/** Chooses the deepest issue if all alternatives fail: it is the most specific one. */
function chooseDeepestIssue(issues: readonly SchemaIssue[]): SchemaIssue | undefined {
  const composite = new Set(['oneOf', 'anyOf', 'allOf', 'if', 'not'])
  const rank = ({ pointer, keyword }: SchemaIssue) =>
    pointer.split('/').length * 2 + (composite.has(keyword) ? 0 : 1)
  return [...issues].sort((a, b) => rank(b) - rank(a))[0]
}

function parsePointer(pointer: string): readonly string[] {
  const names = pointer.split('/').slice(1)
  return names.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
}

function getMember(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return value[Number(name)]
  return isMembers(value) ? (value as Members)[name] : undefined
}
