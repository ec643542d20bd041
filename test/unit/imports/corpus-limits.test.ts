import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { load } from 'js-yaml'
import { describe, expect, it } from 'vitest'
import type { EndpointDescription } from '../../../core/catalogue/records.ts'
import { parseInline } from '../../../core/imports/parse-description.ts'
import { findSharedData } from '../../helpers/shared-data.ts'

// Compares imported limits of real descriptions with those of a second, independent implementation:
// a simple walk over the parsed document.

// biome-ignore lint/suspicious/noExplicitAny: a walk over whatever is there
type Node = any

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']
const HEADER = /^(?:x-)?rate-?limit|^retry-after$/i
const WORDS = /(\d+)(?: \([a-z ]+\))? (?:requests?|times) per (second|minute)/g

interface Counts {
  readonly has429: number
  readonly headers: number
  /** Such as `60 minute`, for all operations together, sorted. */
  readonly words: readonly string[]
}

function follow(document: Node, node: Node): Node {
  const path: string[] | undefined = node?.$ref?.slice(2).split('/')
  return path ? path.reduce((at: Node, step) => at?.[step], document) : node
}

function countByWalk(document: Node): Counts {
  const operations: Node[] = Object.entries(document.paths ?? {})
    .filter(([path]) => !path.startsWith('x-'))
    .flatMap(([, item]: [string, Node]) => METHODS.flatMap((method) => item?.[method] ?? []))
  const isLimited = (operation: Node) =>
    Object.entries(operation.responses ?? {}).some(([status, response]) =>
      Object.keys(follow(document, response)?.headers ?? {}).some(
        (name) => HEADER.test(name) && !(/^retry/i.test(name) && /^[23]/.test(status)),
      ),
    )
  const words = operations.flatMap(({ description, summary }) => {
    const text = [description, summary, document.info?.description].join(' ').replace(/\s+/g, ' ')
    const found = [...text.matchAll(WORDS)].map(([, calls, unit]) => `${calls} ${unit}`)
    return [...new Set(found)]
  })
  return {
    has429: operations.filter(({ responses }) => responses?.['429'] !== undefined).length,
    headers: operations.filter(isLimited).length,
    words: words.sort(),
  }
}

function countByImport(endpoints: readonly EndpointDescription[]): Counts {
  const called = endpoints.filter(({ isInbound }) => !isInbound)
  const words = called.flatMap(({ rateLimits }) =>
    (rateLimits?.limits ?? []).map(
      ({ calls, windowMs }) => `${calls} ${windowMs === 1000 ? 'second' : 'minute'}`,
    ),
  )
  return {
    has429: called.filter(({ declaredStatuses }) => declaredStatuses.includes('429')).length,
    headers: called.filter(({ rateLimits }) => (rateLimits?.headers.length ?? 0) > 0).length,
    words: words.sort(),
  }
}

const DATA = findSharedData()

describe.skipIf(!DATA)('the limits of real descriptions', () => {
  it('match those of an independent traversal', () => {
    const folder = join(DATA ?? '', 'openapi')
    const differences: unknown[] = []
    const total = { files: 0, has429: 0, headers: 0, words: 0 }
    for (const file of readdirSync(folder)) {
      const bytes = readFileSync(join(folder, file))
      let endpoints: readonly EndpointDescription[]
      try {
        endpoints = parseInline({ bytes, options: {} }).endpoints
      } catch {
        // Three files are not descriptions, see `corpus.test.ts`.
        continue
      }
      const expected = countByWalk(load(bytes.toString('utf8')))
      const found = countByImport(endpoints)
      if (JSON.stringify(found) !== JSON.stringify(expected)) {
        differences.push({ file, found, expected })
      }
      total.files += 1
      total.has429 += found.has429
      total.headers += found.headers
      total.words += found.words.length
    }
    expect(differences).toEqual([])
    expect(total).toEqual({ files: 177, has429: 342, headers: 65, words: 510 })
  }, 180_000)
})
