import * as v from 'valibot'
import { defineOperations } from '../http/operation.ts'
import { flag, query, required, text } from '../http/params.ts'

export const gatewayOperations = defineOperations({
  callEndpoint: {
    method: 'POST',
    paths: ['/gateway', '/benchmark/endpoint_request_live'],
    section: '4.1',
    tag: 'gateway',
    summary: 'Call a catalogued endpoint',
    scope: 'call',
    params: {
      endpoint_id: required(query(text(20), 'Short or numeric id of the endpoint.')),
      follow_redirects: query(flag(), 'Follow at most three redirects.'),
      dry_run: query(flag(), 'Answer the request that would be sent; send nothing.'),
    },
    body: { kind: 'json', schema: v.record(v.string(), v.unknown()) },
    output: { kind: 'raw', mediaTypes: ['*/*'] },
    isPlanned: true,
  },
})
