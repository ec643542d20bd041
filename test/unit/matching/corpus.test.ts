import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parseInline } from '../../../core/imports/parse-description.ts'
import type { MatchableEndpoint } from '../../../core/matching/match.ts'
import { createMatcher } from '../../../core/matching/matcher.ts'
import { someOf } from '../../helpers/runs.ts'

const FOLDER = '../shared/data/openapi'
const VALUES = ['42', 'x y', 'größe', 'a%b', 'zz9-plural', 'q/r', '5f3a', '名前', 'A.B', '~', '@me']

interface Filed extends MatchableEndpoint {
  /** First server with defaults, then the template. */
  readonly url: string
}

const endpoints = existsSync(FOLDER) ? readFolder() : []

describe('endpoints of real descriptions', () => {
  it('match themselves, an equal endpoint or a more literal one', (context) => {
    if (!existsSync(FOLDER)) return context.skip(`There is no ${FOLDER}`)
    const matcher = createMatcher()
    matcher.addEndpoints(endpoints)
    const byId = new Map(endpoints.map((endpoint) => [endpoint.id, endpoint]))
    const counts = { itself: 0, equal: 0, sibling: 0, wrong: 0 }
    const wrong: string[] = []
    for (const endpoint of endpoints) {
      const url = fillPlaceholders(endpoint.url, endpoint.id)
      const match = matcher.match({ method: endpoint.method, url })
      const found = byId.get(match?.endpointId ?? 0)
      const kind = compareEndpoints(endpoint, found)
      counts[kind] += 1
      if (kind !== 'wrong') continue
      wrong.push(`${endpoint.method} ${endpoint.url} as ${url}: ${found?.url ?? match?.reason}`)
    }
    console.log(`${endpoints.length} endpoints: ${JSON.stringify(counts)}`)
    expect(wrong).toEqual([])
  })

  it('match URLs from code, and without their method', (context) => {
    if (!existsSync(FOLDER)) return context.skip(`There is no ${FOLDER}`)
    const matcher = createMatcher()
    matcher.addEndpoints(endpoints)
    const byId = new Map(endpoints.map((endpoint) => [endpoint.id, endpoint]))
    const missed = endpoints.filter((endpoint) => {
      const url = endpoint.url.replaceAll(/\{([^{}]*)\}/g, '$' + '{$1}')
      const match = matcher.match({ url })
      const seen = [match?.endpointId, ...(match?.alternatives ?? []).map((one) => one.endpointId)]
      const isSeen = seen.some((id) => shapeOf(byId.get(id ?? 0)?.url) === shapeOf(endpoint.url))
      return !isSeen
    })
    console.log(`${endpoints.length} endpoints from code: ${missed.length} missed`)
    expect(missed.map((endpoint) => endpoint.url)).toEqual([])
  })
})

function readFolder(): readonly Filed[] {
  const files = readdirSync(FOLDER).filter((name) => /\.(?:json|ya?ml)$/.test(name))
  const endpoints: Filed[] = []
  for (const [index, file] of someOf(files.sort()).entries()) {
    const parsed = readFile(file, `https://files.acme.dev/${index}/`)
    for (const endpoint of parsed?.endpoints ?? []) {
      if (endpoint.isInbound) continue
      const id = endpoints.length + 1
      const names = { apiName: parsed?.api.name ?? '', vendorName: file.split('__')[0] ?? '' }
      endpoints.push({ ...endpoint, ...names, id, shortId: `e${id}`, apiId: index + 1 })
    }
  }
  return endpoints
}

function readFile(file: string, baseUrl: string) {
  try {
    const bytes = new Uint8Array(readFileSync(`${FOLDER}/${file}`))
    return parseInline({ bytes, options: { baseUrl } })
  } catch {
    return undefined // The import rejected the file, which other tests cover.
  }
}

function fillPlaceholders(url: string, seed: number): string {
  let index = seed
  return url.replaceAll(/\{[^{}]*\}/g, () => {
    index += 1
    return encodeURIComponent(VALUES[index % VALUES.length] ?? 'x')
  })
}

function compareEndpoints(
  endpoint: Filed,
  found: Filed | undefined,
): 'itself' | 'equal' | 'sibling' | 'wrong' {
  if (!found || found.method !== endpoint.method) return 'wrong'
  if (found.id === endpoint.id) return 'itself'
  if (shapeOf(found.url) === shapeOf(endpoint.url)) return 'equal'
  return isMoreLiteral(shapeOf(found.url), shapeOf(endpoint.url)) ? 'sibling' : 'wrong'
}

/** Removes scheme, trailing slash and parameter names from a URL. */
function shapeOf(url: string | undefined): string {
  const path = (url ?? '').replace(/^\w+:\/\//, '').replaceAll(/\{[^{}]*\}/g, '{}')
  return path.replaceAll(/\/+/g, '/').replace(/\/$/, '')
}

/** Checks that the first shape has a literal where the other one has a parameter. */
function isMoreLiteral(shape: string, other: string): boolean {
  const [left, right] = [shape.split('/'), other.split('/')]
  return (
    left.length === right.length &&
    left.every((part, index) => part === right[index] || right[index]?.includes('{}'))
  )
}
