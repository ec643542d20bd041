import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ServiceError } from '../../core/errors.ts'
import { parseInline } from '../../core/imports/parse-description.ts'

const FOLDER = new URL('../../fixtures/descriptions/', import.meta.url)
const CARDS = [
  'skycast-mcp-server.json',
  'harbour-mcp-card.json',
  'parcels-agent-0.3.json',
  'parcels-agent-1.0.json',
]

/** JSON texts of unexpected values. */
const VALUES = [
  'null',
  'true',
  '7',
  '""',
  '"__proto__"',
  '"#/a"',
  '[]',
  '[null, [], "a", {"name": "b", "id": "b"}]',
  '{}',
  '{"__proto__": {"url": "https://a.example"}, "constructor": {"name": "c"}, "$ref": "#"}',
]

type Path = readonly (string | number)[]

/** Returns the paths of all values below an object or list. */
function* listPaths(value: unknown, at: Path = []): Iterable<Path> {
  if (typeof value !== 'object' || value === null) return
  for (const [key, member] of Object.entries(value)) {
    const path = [...at, Array.isArray(value) ? Number(key) : key]
    yield path
    yield* listPaths(member, path)
  }
}

/** Replaces the value at a path in a JSON text by another JSON text. */
function replaceAt(text: string, path: Path, replacement: string): string {
  const copy = JSON.parse(text)
  const owner = path.slice(0, -1).reduce((node, key) => node[key], copy)
  owner[path.at(-1) ?? ''] = 'REPLACED'
  return JSON.stringify(copy).replace('"REPLACED"', replacement)
}

function parseText(text: string) {
  return parseInline({ bytes: new TextEncoder().encode(text), options: {} })
}

describe.each(CARDS)('%s', (name) => {
  const text = readFileSync(new URL(name, FOLDER), 'utf8')

  it('is read or refused with a reason, whatever any of its members is', () => {
    let count = 0
    for (const path of listPaths(JSON.parse(text))) {
      for (const value of VALUES) {
        const changed = replaceAt(text, path, value)
        try {
          const { api, endpoints } = parseText(changed)
          expect(api.name).not.toBe('')
          for (const { url } of api.servers) expect(url).toMatch(/^(?:https?:\/)?\//)
          expect(new Set(endpoints.map(({ key }) => key)).size).toBe(endpoints.length)
        } catch (error) {
          if (!(error instanceof ServiceError)) throw new Error(changed, { cause: error })
          expect(error.code).toBe('invalid_description')
        }
        count += 1
      }
    }
    expect(count).toBeGreaterThan(100)
    expect(Object.keys(Object.prototype)).toEqual([])
  })

  it('is read without the prototype of a member', () => {
    const { api, endpoints } = parseText(text)
    const hostile = text.replace(
      '{',
      '{"__proto__": {"remotes": [], "skills": [], "tools": [{"name": "x"}]}, ',
    )
    expect(parseText(hostile).api).toEqual(api)
    expect(parseText(hostile).endpoints).toEqual(endpoints)
  })
})

describe('names of tools', () => {
  it.each([
    ['__proto__', '#__proto__'],
    ['constructor', '#constructor'],
    ['../../admin?x=1#y', '#..%2F..%2Fadmin%3Fx%3D1%23y'],
    ['{place}', '#%7Bplace%7D'],
    ['a\ud800b', '#a%EF%BF%BDb'],
    ['x'.repeat(4001), undefined],
  ])('stay in the fragment: %s', (tool, path) => {
    const remotes = [{ type: 'sse', url: 'https://a.acme.org/sse' }]
    const card = JSON.stringify({ name: 'org.acme/a', remotes, tools: [{ name: tool }] })
    const { endpoints, report } = parseText(card)
    expect(endpoints.map((each) => each.path)).toEqual(path === undefined ? [''] : ['', path])
    expect(report.skipped).toBe(path === undefined ? 1 : 0)
  })
})

describe('addresses', () => {
  it.each(['javascript:alert(1)', 'file:///etc/passwd', 'data:text/html,x', '//a.acme.org', 'x'])(
    'of a remote that are no URL are skipped: %s',
    (url) => {
      const remotes = [{ type: 'sse', url }]
      const icons = [{ src: url }]
      const card = { name: 'org.acme/a', websiteUrl: url, icons, remotes }
      const { api, report } = parseText(JSON.stringify(card))
      expect([api.servers, api.homepage, api.image]).toEqual([[], '', ''])
      expect(report.warnings).toContainEqual({
        pointer: '/remotes/0',
        message: 'No http or https URL; skipped',
      })
      const transport = { type: 'sse', endpoint: url }
      const first = { serverInfo: { name: 'a' }, transport, documentationUrl: url, iconUrl: url }
      expect(parseText(JSON.stringify(first)).api).toMatchObject({
        servers: [],
        homepage: '',
        image: '',
      })
    },
  )
})
