import type { SearchPosting } from '../../core/catalogue/records.ts'
import type { SearchStore } from '../../core/catalogue/search/search-apis.ts'
import type { ApiPosting, EndpointPosting, TermQuery } from '../../core/catalogue/store.ts'

/** The search index of a catalogue in memory. Filters are ignored. */
export interface MemoryPostings extends SearchStore {
  /** Adds the postings of an API; `name` is folded. */
  add(api: { readonly id: number; readonly name: string }, postings: readonly SearchPosting[]): void
}

interface Row extends SearchPosting {
  readonly apiId: number
}

/** Creates an empty search index in memory, sorted by term. */
export function createMemoryPostings(): MemoryPostings {
  const names = new Map<number, string>()
  const rowsByTerm = new Map<string, Row[]>()
  let sorted: readonly string[] | undefined

  function rowsOf({ text, isPrefix }: TermQuery): readonly Row[] {
    if (!isPrefix) return rowsByTerm.get(text) ?? []
    sorted ??= [...rowsByTerm.keys()].sort()
    const rows: Row[] = []
    for (let index = findFirst(sorted, text); index < sorted.length; index += 1) {
      const term = sorted[index] ?? ''
      if (!term.startsWith(text)) break
      for (const row of rowsByTerm.get(term) ?? []) rows.push(row)
    }
    return rows
  }

  return {
    add(api, postings) {
      names.set(api.id, api.name)
      sorted = undefined
      for (const posting of postings) {
        const rows = rowsByTerm.get(posting.term) ?? []
        rowsByTerm.set(posting.term, rows)
        rows.push({ ...posting, apiId: api.id })
      }
    },
    async findPostings(terms) {
      const found: ApiPosting[] = []
      for (const [term, query] of terms.entries()) {
        const best = new Map<number, number>()
        for (const { apiId, weight } of rowsOf(query)) {
          if (weight > (best.get(apiId) ?? 0)) best.set(apiId, weight)
        }
        for (const [apiId, weight] of best) {
          found.push({ term, apiId, weight, name: names.get(apiId) ?? '' })
        }
      }
      return found
    },
    async findEndpointPostings(terms, apiIds) {
      const wanted = new Set(apiIds)
      const found: EndpointPosting[] = []
      for (const [term, query] of terms.entries()) {
        for (const { apiId, endpoints } of rowsOf(query)) {
          if (wanted.has(apiId)) found.push({ term, apiId, endpoints })
        }
      }
      return found
    },
  }
}

function findFirst(sorted: readonly string[], text: string): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? '') < text) low = middle + 1
    else high = middle
  }
  return low
}
