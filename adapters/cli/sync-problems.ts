import type { SyncEvent } from '../../core/index.ts'

/** Tells a person what could not be read: the first problems of each kind, then how many more. */
export interface ProblemTeller {
  tell(problem: ProblemEvent): void
  /** Tells how many more there were of each kind, as nothing more comes from their source. */
  end(): void
}

type ProblemEvent = Extract<SyncEvent, { readonly kind: 'problem' }>

const SHOWN_OF_KIND = 10
/** Of all kinds and sources; also bounds what is remembered. */
const SHOWN_PROBLEMS = 100

/** Creates the teller, which writes lines with `note`. */
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
        note('More is left out: --json tells all of it')
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

/** Which record or line it is in tells no kinds apart. */
function toKind(line: string): string {
  return line.replaceAll(/\d+/g, '0')
}
