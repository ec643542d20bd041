import type { SyncEvent } from '../../core/vulnerabilities/index.ts'

/** Prints the first problems of each kind, then the number of further ones. */
export interface ProblemPrinter {
  print(problem: ProblemEvent): void
  /** Prints the number of further problems of each kind. Call it at the end of a source. */
  end(): void
}

type ProblemEvent = Extract<SyncEvent, { readonly kind: 'problem' }>

const MAX_PRINTED_PER_KIND = 10
/** Maximum number of printed problems of all kinds and sources; also bounds memory. */
const MAX_PRINTED_PROBLEMS = 100

/** Creates a printer that writes lines with `note`. */
export function createProblemPrinter(note: (line: string) => void): ProblemPrinter {
  const kinds = new Map<string, { readonly first: string; count: number }>()
  let shown = 0
  let isCutOff = false

  return {
    print({ source, message }) {
      const line = `${source}: ${message}`
      const key = toProblemKind(line)
      const kind = kinds.get(key) ?? { first: line, count: 0 }
      kind.count += 1
      if (kind.count > MAX_PRINTED_PER_KIND) return
      if (shown < MAX_PRINTED_PROBLEMS) {
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
        const more = count - MAX_PRINTED_PER_KIND
        if (more > 0) note(`${first} (and ${more} more of this kind)`)
      }
      kinds.clear()
    },
  }
}

/** Groups problems that differ only in numbers, such as record or line numbers. */
function toProblemKind(line: string): string {
  return line.replaceAll(/\d+/g, '0')
}
