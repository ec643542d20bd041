import type { Contract } from '../../core/contract.ts'
import type { GoldenCase } from './golden-cases.ts'

function toPost(operation: keyof Contract, name: string, body: unknown): GoldenCase {
  const target = operation === 'searchRegistry' ? '/api/ard/search' : '/api/ard/explore'
  const headers = { 'content-type': 'application/json' }
  return { operation, name, method: 'POST', target, headers, body: JSON.stringify(body) }
}

const search = (name: string, body: unknown) => toPost('searchRegistry', name, body)
const explore = (name: string, body: unknown) => toPost('exploreRegistry', name, body)
const list = (name: string, query: string): GoldenCase => ({
  operation: 'listRegistryEntries',
  name,
  target: `/api/ard/agents${query}`,
})

/** Documents and registry for other registries. */
export const discoveryCases: readonly GoldenCase[] = [
  {
    operation: 'getAiCatalog',
    name: 'to anybody',
    target: '/.well-known/ai-catalog.json',
    key: 'none',
  },
  {
    operation: 'getAiCatalog',
    name: 'at the address of ARD 0.91',
    target: '/.well-known/ard.json',
    key: 'none',
  },
  { operation: 'getLlmsText', name: 'to anybody', target: '/llms.txt', key: 'none' },
  { operation: 'listCatalogEntries', name: 'all by name', target: '/api/ai-catalog.json' },
  {
    operation: 'listCatalogEntries',
    name: 'none in an empty catalogue',
    target: '/api/ai-catalog.json',
    isEmpty: true,
  },
  {
    operation: 'getApiDescription',
    name: 'of an encrypted ID',
    target: '/api/apis/description?api_id=W5VXva5MQp3HQNYuTD',
  },
  {
    operation: 'getApiDescription',
    name: 'of an unknown API',
    target: '/api/apis/description?api_id=zzz',
  },
  search('the best first', { query: { text: 'send a text message' } }),
  search('by type and publisher', {
    query: {
      text: 'send',
      filter: { type: ['application/openapi+json'], publisher: 'pigeon.example' },
    },
    federation: 'none',
  }),
  search('nothing by another type', {
    query: { text: 'send', filter: { type: ['application/mcp-server-card+json'] } },
  }),
  search('the first page', { query: { text: 'send' }, pageSize: 1 }),
  search('nothing in common', { query: { text: 'zebra' } }),
  search('without a text', { query: {} }),
  search('an unsupported field', { query: { text: 'send', filter: { color: 'red' } } }),
  explore('of all entries', {
    resultType: {
      facets: [{ field: 'type' }, { field: 'publisher', limit: 2 }, { field: 'metadata.category' }],
    },
  }),
  explore('of found entries', {
    query: { text: 'weather', filter: { 'metadata.vendor': 'SKYCAST' } },
    resultType: { facets: [{ field: 'tags', minCount: 2 }] },
  }),
  explore('without a result type', { query: { text: 'weather' } }),
  list('all by name', ''),
  list('newest first', '?orderBy=createdAt+DESC,+displayName&pageSize=2'),
  list(
    'by conditions',
    `?filter=${encodeURIComponent("type = 'application/openapi+json' AND displayName = weather AND createdAfter > 2026-03-01")}`,
  ),
  list('of publishers', `?filter=${encodeURIComponent('publisherId = "pigeon.example,none"')}`),
  list('an invalid filter', `?filter=${encodeURIComponent("name ~ 'x'")}`),
  list('an invalid order', '?orderBy=color'),
]
