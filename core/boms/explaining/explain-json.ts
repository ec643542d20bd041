import type { JudgeJson, SchemaIssue } from '../cyclonedx/validate.ts'
import { isMembers, type Members } from '../reading/values.ts'
import { type Explanation, explainIssue } from './explanations.ts'

/** Explained of a document at the most. */
const MAX_EXPLAINED = 50

/**
 * Explains what keeps a document from being valid. The judge stops at the first issue: what it
 * names is taken out of a copy, which is judged again, until nothing is left to say.
 */
export async function explainJson(
  document: unknown,
  judge: JudgeJson,
): Promise<readonly Explanation[]> {
  const found: Explanation[] = []
  const copy: unknown = structuredClone(document)
  /** Where items of arrays stood, as others before them are taken out. */
  const places = new Map<readonly unknown[], number[]>()
  const takenOut = new Set<string>()
  for (let round = 0; round < MAX_EXPLAINED; round += 1) {
    const issue = choose(await judge(copy))
    if (!issue) break
    const path = toPath(issue.pointer)
    const place = toPlace(copy, path)
    // What is missing now may have been there, and wrong.
    const missing = `${place}/${String(issue.params.missingProperty)}`
    if (!takenOut.has(missing)) found.push(explainIssue(issue, place))
    if (!takeOut(copy, issue, path)) break
    takenOut.add(place)
  }
  return found

  function toPlace(from: unknown, path: readonly string[]): string {
    let pointer = ''
    let value = from
    for (const name of path) {
      const index = Array.isArray(value) ? places.get(value)?.[Number(name)] : undefined
      pointer += `/${(index === undefined ? name : String(index)).replaceAll('~', '~0').replaceAll('/', '~1')}`
      value = toMember(value, name)
    }
    return pointer
  }

  function takeOut(root: unknown, issue: SchemaIssue, path: readonly string[]): boolean {
    const unknown = issue.params.additionalProperty
    if (issue.keyword === 'additionalProperties' && typeof unknown === 'string') {
      return remove(path.reduce(toMember, root), unknown)
    }
    const parent = path.slice(0, -1).reduce(toMember, root)
    const name = path.at(-1)
    return name !== undefined && remove(parent, name)
  }

  function remove(parent: unknown, name: string): boolean {
    if (Array.isArray(parent)) {
      const kept = places.get(parent) ?? parent.map((_, index) => index)
      places.set(parent, kept)
      kept.splice(Number(name), 1)
      return parent.splice(Number(name), 1).length > 0
    }
    return isMembers(parent) && Object.hasOwn(parent, name) && Reflect.deleteProperty(parent, name)
  }
}

/** Of alternatives that all fail, what is deepest says most. */
function choose(issues: readonly SchemaIssue[]): SchemaIssue | undefined {
  const composite = new Set(['oneOf', 'anyOf', 'allOf', 'if', 'not'])
  const rank = ({ pointer, keyword }: SchemaIssue) =>
    pointer.split('/').length * 2 + (composite.has(keyword) ? 0 : 1)
  return [...issues].sort((a, b) => rank(b) - rank(a))[0]
}

function toPath(pointer: string): readonly string[] {
  const names = pointer.split('/').slice(1)
  return names.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
}

function toMember(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return value[Number(name)]
  return isMembers(value) ? (value as Members)[name] : undefined
}
