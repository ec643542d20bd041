import { afterAll, describe, expect, it } from 'vitest'
import { TESTED } from '../helpers/rate-limit-seed.ts'
import { openTestService } from '../helpers/service.ts'
import { askInProcess } from './ways.ts'

const service = await openTestService()
afterAll(() => service.close())

async function getJson(target: string): Promise<unknown> {
  const headers = { 'api-key': service.keys.all }
  return JSON.parse((await askInProcess(service).ask({ target, headers })).body)
}

async function postJson(target: string, body: unknown): Promise<unknown> {
  const request = { method: 'POST', target, body: JSON.stringify(body) }
  const headers = { 'api-key': service.keys.all }
  return JSON.parse((await askInProcess(service).ask({ ...request, headers })).body)
}

/** Names and JSON types of an object's members; of lists, those of their first item. */
function toTypes(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? [] : [toTypes(value[0])]
  if (value === null) return 'null'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  if (typeof value !== 'object') return typeof value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, toTypes(member)]))
}

const PAGE = {
  num_results: 'integer',
  num_pages: 'integer',
  current_page: 'integer',
  page_size: 'integer',
}

const SUMMARY = {
  id: 'integer',
  endpoint: 'string',
  method: 'string',
  description: 'string',
  // Extensions.
  endpoint_id: 'string',
}

describe('the fields of the specification, with their types', () => {
  it('2.1: endpoint summary', async () => {
    expect(toTypes(await getJson('/api/endpoint_list'))).toEqual([SUMMARY])
  })

  it('2.2: endpoint search result', async () => {
    const result = await getJson('/api/endpoint_search?q=weather')
    expect(toTypes(result)).toEqual({
      ...PAGE,
      endpoints: [
        {
          vendor: {
            id: 'integer',
            name: 'string',
            image_vendor_name: 'string',
            encrypted_id: 'string',
          },
          category: { id: 'integer', name: 'string', image: 'string', encrypted_id: 'string' },
          vendor_licenses: [],
          api_licenses: [{ name: 'string', url: 'string' }],
          auth_types: ['string'],
          is_public_api: 'boolean',
          id: 'integer',
          name: 'string',
          version: 'string',
          homepage: 'string',
          is_implemented: 'boolean',
          is_claiming: 'boolean',
          can_claim: 'boolean',
          countries: [],
          country_names: [],
          encrypted_id: 'string',
          num_agreements_restricted: 'boolean',
          // Extensions.
          description: 'string',
          matched_endpoints: [SUMMARY],
        },
      ],
    })
  })

  it('2.3: endpoint parameters', async () => {
    expect(toTypes(await getJson('/api/endpoint_parameter?endpoint_id=9'))).toEqual({
      parameter: [
        {
          parameter_name: 'string',
          parameter_placement: 'string',
          is_required: 'boolean',
          parameter_default_value: 'string',
          parameter_example_value: 'string',
          parameter_description: 'string',
          // Extensions.
          parameter_type: 'string',
          parameter_enum: [],
        },
      ],
      description: 'string',
      endpoint_name: 'string',
      method: 'string',
    })
  })

  it('2.4: endpoint example, with text inputs', async () => {
    expect(toTypes(await getJson('/api/data_example?endpoint_id=9'))).toEqual({
      output_response: 'string',
      endpoint_id: 'string',
      input_parameters: { lat: 'string', lon: 'string' },
    })
  })

  it('2.5: vulnerability search result, with counts and scores as texts', async () => {
    const found = await postJson('/api/cvesearch/', { search_term: 'log4j' })
    expect(toTypes(found)).toEqual({
      'Content-Type': 'string',
      mapping: {
        num_results: 'string',
        processed_search_term: 'string',
        search_term: 'string',
        vulnerabilities: [
          {
            cve_id: 'string',
            cve_description: 'string',
            vendor: 'string',
            product: 'string',
            version: 'string',
            cvssv2_score: 'string',
            cvssv2_severity: 'string',
            cvssv3_score: 'string',
            cvssv3_severity: 'string',
            year_published: 'integer',
          },
        ],
      },
      'Content-Length': 'integer',
    })
    const { mapping } = found as {
      readonly mapping: { readonly vulnerabilities: readonly Readonly<Record<string, string>>[] }
    }
    for (const {
      cvssv2_score: score2 = '',
      cvssv3_score: score3 = '',
    } of mapping.vulnerabilities) {
      expect([score2, score3]).toEqual([
        expect.stringMatching(/^\d+\.\d$/),
        expect.stringMatching(/^\d+\.\d$/),
      ])
    }
  })

  it('4.8 to 4.10: lists of texts', async () => {
    expect(toTypes(await getJson('/api/cvesearch/vendors/'))).toEqual({ vendors: ['string'] })
    expect(toTypes(await getJson('/api/cvesearch/vendor/products?vendor=apache'))).toEqual({
      products: ['string'],
    })
    const affected = await getJson('/api/cvesearch/cve/products?cve_id=CVE-2021-44228')
    expect(toTypes(affected)).toEqual({ associated_products: ['string'] })
  })

  it('2.11: agreements', async () => {
    expect(toTypes(await getJson('/api/agreements/id?api_id=3'))).toEqual({
      api_name: 'string',
      description: 'string',
      agreements: [{ agreement_name: 'string', agreement_link: 'string' }],
    })
  })

  it('2.12: added APIs, with days without leading zeros', async () => {
    const added = await getJson('/api/agreements/time?start_date=2026-03-01&end_date=2026-03-31')
    expect(toTypes(added)).toEqual([
      {
        'API Name': 'string',
        Description: 'string',
        'API ID': 'string',
        'Category Name': 'string',
        'Vendor Name': 'string',
        'Datetime Created': 'string',
      },
    ])
    const days = (added as readonly Record<string, string>[]).map(
      (each) => each['Datetime Created'],
    )
    expect(days).toEqual(['2026-3-13', '2026-3-12', '2026-3-11', '2026-3-10'])
  })

  it('2.13: vendors', async () => {
    expect(toTypes(await getJson('/api/vendor/search'))).toEqual({
      ...PAGE,
      vendors: [
        {
          encrypted_id: 'string',
          name: 'string',
          homepage: 'string',
          description: 'string',
          is_public: 'boolean',
        },
      ],
    })
  })

  it('2.14: the 23 categories in order, with exact spelling', async () => {
    expect(await getJson('/api/categories')).toEqual([
      'Artificial Intelligence & Data Science',
      'Business & Technology',
      'eCommerce & Trade',
      'Environment & Weather',
      'Finance & Banking',
      'GeoInformatics & Navigation',
      'Government & Public Services',
      'Health Science & Medicine',
      'Information & Science',
      'Justice & Public Safety',
      'Logistics & Infrastrcture',
      'Natural Resources & Energy',
      'News & Media',
      'Religion & spirituality',
      'Research & Education',
      'Sales & Marketing',
      'Security & Technology',
      'Skills & Career Development',
      'Social Media & Technology',
      'Software & Services',
      'Sports & Entertainment',
      'Transportation & Automobile',
      'Work & Personal Assistance',
    ])
  })

  it('2.15: rate-limit tests, with slashes in the day', async () => {
    const started = await postJson('/api/benchmark/rate_limiting_test', { endpoint_id: 'EI7yswc' })
    expect(toTypes(started)).toEqual({ result: 'string', info: 'integer' })
    const result = await getJson(`/api/benchmark/rate_limiting_result?endpoint_id=${TESTED}`)
    expect(toTypes(result)).toEqual({ datetime: 'string', result: 'string', test_case: 'string' })
    expect(result).toMatchObject({
      datetime: '2026/03/14',
      test_case: expect.stringMatching(/^12 requests .* 5 requests per second/),
    })
  })
})

describe('IDs', () => {
  it('are short or numeric for endpoints, opaque or numeric for APIs, and equivalent', async () => {
    const list = (await getJson('/api/endpoint_list')) as readonly {
      id: number
      endpoint_id: string
    }[]
    for (const { id, endpoint_id: shortId } of list) {
      expect(shortId).toMatch(/^(?=.*[A-Za-z])[A-Za-z0-9]{7}$/)
      for (const path of ['/api/endpoint_parameter', '/api/data_example', '/api/agreements/id']) {
        const byNumber = await getJson(`${path}?endpoint_id=${id}`)
        expect(await getJson(`${path}?endpoint_id=${shortId}`)).toEqual(byNumber)
      }
    }
    expect(new Set(list.map(({ endpoint_id: shortId }) => shortId)).size).toBe(list.length)
    expect(list.map(({ id }) => id)).toEqual([...list.map(({ id }) => id)].sort((a, b) => a - b))
    const search = (await getJson('/api/endpoint_search')) as {
      readonly endpoints: readonly { readonly id: number; readonly encrypted_id: string }[]
    }
    for (const { id, encrypted_id: opaque } of search.endpoints) {
      const byNumber = await getJson(`/api/agreements/id?api_id=${id}`)
      expect(await getJson(`/api/agreements/id?api_id=${opaque}`)).toEqual(byNumber)
    }
  })
})
