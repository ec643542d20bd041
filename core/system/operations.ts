import * as v from 'valibot'
import { defineOperations } from '../http/operation.ts'

export const systemOperations = defineOperations({
  getHealth: {
    method: 'GET',
    paths: ['/healthz'],
    mount: 'root',
    tag: 'system',
    summary: 'Tell that the process answers',
    scope: 'public',
    output: { kind: 'json', schema: v.object({ status: v.literal('ok') }) },
  },
  getReadiness: {
    method: 'GET',
    paths: ['/readyz'],
    mount: 'root',
    tag: 'system',
    summary: 'Tell whether the service can do its work',
    description:
      '503 with the names of what is missing: "storage" while the database does not answer, "storage writes" while it refuses them, as with a full disk (checked every ten seconds).',
    scope: 'public',
    output: { kind: 'raw', mediaTypes: ['application/json'] },
  },
  getMetrics: {
    method: 'GET',
    paths: ['/metrics'],
    mount: 'root',
    tag: 'system',
    summary: 'Metrics in the Prometheus text format',
    scope: 'admin',
    output: { kind: 'raw', mediaTypes: ['text/plain'] },
  },
  getOpenApiDocument: {
    method: 'GET',
    paths: ['/openapi.json'],
    mount: 'both',
    tag: 'system',
    summary: 'This document',
    scope: 'public',
    output: { kind: 'raw', mediaTypes: ['application/json'] },
  },
  getReferencePage: {
    method: 'GET',
    paths: ['/docs'],
    mount: 'both',
    tag: 'system',
    summary: 'Reference page for people',
    scope: 'public',
    output: { kind: 'raw', mediaTypes: ['text/html'] },
  },
  getApiCatalog: {
    method: 'GET',
    paths: ['/.well-known/api-catalog'],
    mount: 'root',
    tag: 'system',
    summary: 'Machine-readable catalogue of this service (RFC 9727)',
    scope: 'public',
    output: { kind: 'raw', mediaTypes: ['application/linkset+json'] },
  },
})
