import type { SyncEvent } from '../../core/index.ts'

/** Prints the first problems of each kind, then the number of further ones. */
export interface ProblemTeller {
  tell(problem: ProblemEvent): void
  /** Prints the number of further problems of each kind. Call it at the end of a source. */
  end(): void
}

type ProblemEvent = Extract<SyncEvent, { readonly kind: 'problem' }>

const SHOWN_OF_KIND = 10
/** Maximum number of printed problems of all kinds and sources; also bounds memory. */
const SHOWN_PROBLEMS = 100

/** Creates a printer that writes lines with `note`. */
export function createProblemTeller(note: (line: string) => void): ProblemTeller {
  const kinds = new Map<string, { readonly first: string; count: number }>()
  let shown = 0
  let isCutOff = false

  return {
    tell({ source, message }) {
      const line = `${source}: ${message}`
      const key = toKind(line)
      const kind = kinds.get(key) ?? { first: line, count: 0 }
      kind.count += 1
      if (kind.count > SHOWN_OF_KIND) return
      if (shown < SHOWN_PROBLEMS) {
        kinds.set(key, kind)
        shown += 1
        note(line)
      } else if (!isCutOff) {
        isCutOff = true
        note('Further problems are not shown: use --json to list all')
      }
    },
    end() {
      for (const { first, count } of kinds.values()) {
        const more = count - SHOWN_OF_KIND
        if (more > 0) note(`${first} (and ${more} more of this kind)`)
      }
      kinds.clear()
    },
  }
}

/** Groups problems that differ only in numbers, such as record or line numbers. */
function toKind(line: string): string {
  return line.replaceAll(/\d+/g, '0')
}
