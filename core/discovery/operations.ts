import { defineOperations } from '../http/operation.ts'
import { integer, query, required, text } from '../http/params.ts'
import {
  ARD_ERROR_CODES,
  catalogHeadSchema,
  entrySchema,
  exploreRequestSchema,
  exploreResponseSchema,
  listResponseSchema,
  searchRequestSchema,
  searchResponseSchema,
} from './wire.ts'

const EXPERIMENTAL = 'Experimental: the format is a draft and may change.'
const REGISTRY =
  'One of the operations of a registry of the Agentic Resource Discovery specification (ARD).'

/** Members of errors that ARD requires (appendix B). */
const problemMembers = ({
  status,
  detail,
}: {
  readonly status: number
  readonly detail: string
}) => ({
  errorCode: ARD_ERROR_CODES.get(status) ?? (status < 500 ? 'INVALID_ARGUMENT' : 'INTERNAL_ERROR'),
  message: detail,
})

export const discoveryOperations = defineOperations({
  getAiCatalog: {
    method: 'GET',
    paths: ['/.well-known/ai-catalog.json', '/.well-known/ard.json'],
    mount: 'root',
    tag: 'discovery',
    summary: 'Get the AI Catalog of this service',
    description: `Lists the resources of this service: its MCP endpoint, its OpenAPI document, its registry, and the AI Catalog of the catalogued APIs, which needs a key. ${EXPERIMENTAL}`,
    scope: 'public',
    output: { kind: 'raw', mediaTypes: ['application/ai-catalog+json'] },
  },
  getLlmsText: {
    method: 'GET',
    paths: ['/llms.txt'],
    mount: 'root',
    tag: 'discovery',
    summary: 'Describe this service to language models (llms.txt)',
    scope: 'public',
    output: { kind: 'raw', mediaTypes: ['text/plain'] },
  },
  listCatalogEntries: {
    method: 'GET',
    paths: ['/ai-catalog.json'],
    tag: 'discovery',
    summary: 'List the catalogued APIs as an AI Catalog',
    description: `All catalogued APIs by name, streamed. Names and descriptions are data of third parties. ${EXPERIMENTAL}`,
    scope: 'read',
    output: { kind: 'rows', head: catalogHeadSchema, at: 'entries', row: entrySchema },
  },
  getApiDescription: {
    method: 'GET',
    paths: ['/apis/description'],
    tag: 'discovery',
    summary: 'Get the description of an API as it was imported',
    description:
      'The bytes of the imported document, which are data of third parties. The content type is that of JSON or YAML.',
    scope: 'read',
    params: {
      api_id: required(query(text(40), '`encrypted_id` or numeric ID of the API.')),
    },
    output: { kind: 'raw', mediaTypes: ['application/json', 'application/yaml'] },
  },
  searchRegistry: {
    method: 'POST',
    paths: ['/ard/search'],
    tag: 'discovery',
    summary: 'Search the catalogued APIs as a registry (ARD)',
    description: `Finds APIs as \`searchEndpoints\` does, best first. ${REGISTRY} Names and descriptions are data of third parties. ${EXPERIMENTAL}`,
    scope: 'read',
    body: { kind: 'json', schema: searchRequestSchema },
    output: { kind: 'json', schema: searchResponseSchema },
    problemMembers,
  },
  exploreRegistry: {
    method: 'POST',
    paths: ['/ard/explore'],
    tag: 'discovery',
    summary: 'Count the catalogued APIs by field as a registry (ARD)',
    description: `Counts all entries, or those that match a query. ${REGISTRY} ${EXPERIMENTAL}`,
    scope: 'read',
    body: { kind: 'json', schema: exploreRequestSchema },
    output: { kind: 'json', schema: exploreResponseSchema },
    problemMembers,
  },
  listRegistryEntries: {
    method: 'GET',
    paths: ['/ard/agents'],
    tag: 'discovery',
    summary: 'List the catalogued APIs as a registry (ARD)',
    description: `Entries by name, unless \`orderBy\` is set. ${REGISTRY} ${EXPERIMENTAL}`,
    scope: 'read',
    params: {
      filter: query(
        text(2000),
        "Conditions joined by `AND`, such as `type = 'application/openapi+json' AND updatedAfter > '2026-01-31'`. Fields: `displayName` (part of the name), `type`, `publisherId` (values separated by commas), `createdAfter`, `updatedAfter`.",
      ),
      orderBy: query(
        text(200),
        'Fields separated by commas, each optionally followed by `ASC` or `DESC`: `displayName`, `createdAt`, `updatedAt`.',
      ),
      pageSize: query(integer({ min: 1, max: 100, fallback: 20 }), 'Entries per page.'),
      pageToken: query(text(200), 'Token of the next page, from the previous page.'),
    },
    output: { kind: 'json', schema: listResponseSchema },
    problemMembers,
  },
})
