import type { UnresolvedReference } from '../model/file-scan.ts'

/** Numbers of the names that other files may explain. */
export interface References {
  /** The number of a reference, the same for the same. */
  reference(wanted: UnresolvedReference): number
  /** By number. */
  readonly references: readonly UnresolvedReference[]
}

/** Begins to number references. */
export function createReferences(): References {
  const references: UnresolvedReference[] = []
  const numbers = new Map<string, number>()
  return {
    references,
    reference(wanted) {
      const key = `${wanted.module}\n${wanted.name}\n${JSON.stringify([wanted.args, wanted.baseClasses, wanted.enclosingClass, wanted.parameter])}`
      const found = numbers.get(key)
      if (found !== undefined) return found
      const index = references.push(wanted) - 1
      numbers.set(key, index)
      return index
    },
  }
}
