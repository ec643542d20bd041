import * as v from 'valibot'
import { defineOperations } from '../http/operation.ts'

export const systemOperations = defineOperations({
  getHealth: {
    method: 'GET',
    paths: ['/healthz'],
    mount: 'root',
    tag: 'system',
    summary: 'Check that the process is running',
    scope: 'public',
    output: { kind: 'json', schema: v.object({ status: v.literal('ok') }) },
  },
  getReadiness: {
    method: 'GET',
    paths: ['/readyz'],
    mount: 'root',
    tag: 'system',
    summary: 'Check that the service is ready',
    description:
      '503 with the names of unavailable resources: "storage" if the database does not respond, "storage writes" if it rejects writes, for example on a full disk (checked every ten seconds).',
    scope: 'public',
    output: { kind: 'raw', mediaTypes: ['application/json'] },
  },
  getMetrics: {
    method: 'GET',
    paths: ['/metrics'],
    mount: 'root',
    tag: 'system',
    summary: 'Get metrics in the Prometheus text format',
    scope: 'admin',
    output: { kind: 'raw', mediaTypes: ['text/plain'] },
  },
  getOpenApiDocument: {
    method: 'GET',
    paths: ['/openapi.json'],
    mount: 'both',
    tag: 'system',
    summary: 'Get the OpenAPI document of this service',
    scope: 'public',
    output: { kind: 'raw', mediaTypes: ['application/json'] },
  },
  getReferencePage: {
    method: 'GET',
    paths: ['/docs'],
    mount: 'both',
    tag: 'system',
    summary: 'Show the API reference page',
    scope: 'public',
    output: { kind: 'raw', mediaTypes: ['text/html'] },
  },
  getApiCatalog: {
    method: 'GET',
    paths: ['/.well-known/api-catalog'],
    mount: 'root',
    tag: 'system',
    summary: 'Get the API catalogue of this service (RFC 9727)',
    scope: 'public',
    output: { kind: 'raw', mediaTypes: ['application/linkset+json'] },
  },
})
