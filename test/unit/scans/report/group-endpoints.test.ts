import { describe, expect, it } from 'vitest'
import type { ScannedEndpoint } from '../../../../core/scans/records.ts'
import { groupEndpoints } from '../../../../core/scans/report/group-endpoints.ts'

function toEndpoint(url: string, given: Partial<ScannedEndpoint> = {}): ScannedEndpoint {
  return {
    position: 0,
    url,
    method: 'get',
    foundIn: [{ file: 'src/a.ts', line: 3 }],
    packages: [],
    confidence: undefined,
    match: undefined,
    approval: 'unreviewed',
    reason: '',
    decision: { by: '', at: undefined },
    ...given,
  }
}

const toGroupedUsage = (url: string, host: string) => ({
  url,
  method: 'get',
  host,
  written: [url],
  approval: 'unreviewed',
  reason: '',
  places: [{ file: 'src/a.ts', line: 3 }],
})

describe('endpoints of a stored scan', () => {
  it('are grouped by API, the others by host with the vendor that one of them names', () => {
    const match = { apiId: 7, endpointId: undefined, confidence: 1 }
    const urls = ['https://a.io/1', 'https://b.io/1', 'https://A.io:8443/2', 'https://b.io/2']
    const [first = '', second = '', third = '', fourth = ''] = urls
    const endpoints = [
      toEndpoint(first, { match }),
      toEndpoint(second, { vendorName: '' }),
      toEndpoint(third, { match }),
      toEndpoint(fourth, { vendorName: 'Bee' }),
      toEndpoint('{}/v1'),
    ]
    expect(groupEndpoints(endpoints, { match: () => undefined })).toEqual({
      apis: [{ id: 7, uses: [toGroupedUsage(first, 'a.io'), toGroupedUsage(third, 'a.io')] }],
      hosts: [
        {
          host: 'b.io',
          vendorName: 'Bee',
          uses: [toGroupedUsage(second, 'b.io'), toGroupedUsage(fourth, 'b.io')],
        },
        { host: '{}', vendorName: undefined, uses: [toGroupedUsage('{}/v1', '{}')] },
      ],
    })
  })

  it('are none of none', () => {
    expect(groupEndpoints([], { match: () => undefined })).toEqual({ apis: [], hosts: [] })
  })
})
