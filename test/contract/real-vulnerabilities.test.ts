import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readFeedFile } from '../../adapters/feeds/feed-files.ts'
import { contract } from '../../core/contract.ts'
import type { Operation } from '../../core/http/operation.ts'
import { readNvdFeed } from '../../core/vulnerabilities/feeds/read-nvd.ts'
import { someOf } from '../helpers/runs.ts'
import { openTestService, type TestService } from '../helpers/service.ts'
import { findSharedData } from '../helpers/shared-data.ts'
import { findOutputIssue } from './output-check.ts'
import { askInProcess } from './ways.ts'

const data = findSharedData()

type Row = Readonly<Record<string, unknown>> & {
  readonly cve_id: string
  readonly vendor: string
  readonly product: string
  readonly version: string
}

describe.skipIf(data === undefined)('Responses from real records', () => {
  let service: TestService
  beforeAll(async () => {
    service = await openTestService({ isEmpty: true })
    for (const format of ['1.1', '2.0']) {
      const file = join(data ?? '', 'nvd', `nvdcve-${format}-dev.json.gz`)
      await service.app.vulnerabilities.loadRecords(readNvdFeed(readFeedFile(file)), {
        source: `test ${format}`,
      })
    }
  })
  afterAll(() => service.close())

  /** Sends a request, and checks the documented response. */
  async function ask(operation: Operation, target: string, body?: unknown): Promise<string> {
    const answer = await askInProcess(service).ask({
      method: operation.method,
      target: `/api/cvesearch/${target}`,
      headers: { 'api-key': service.keys.all },
      body: body === undefined ? undefined : JSON.stringify(body),
    })
    expect([target, answer.status, findOutputIssue(operation, answer)]).toEqual([
      target,
      200,
      undefined,
    ])
    return answer.body
  }

  it('match the documentation, including the size of their mapping', async () => {
    for (const extended of [false, true]) {
      const body = { search_term: 'the', extended, include_rejected: true }
      const text = await ask(contract.searchVulnerabilities, '', body)
      const start = text.indexOf('"mapping":') + '"mapping":'.length
      const mapping = text.slice(start, text.lastIndexOf(',"Content-Length":'))
      const answer = JSON.parse(text)
      expect(answer['Content-Length']).toBe(new TextEncoder().encode(mapping).length)
      expect(answer.mapping.num_results).toBe(String(answer.mapping.vulnerabilities.length))
      expect(answer.mapping.vulnerabilities.length).toBeGreaterThan(1_000)
    }
  })

  it('agree between the search, the complete record and the list of products', async () => {
    const body = { search_term: 'the', extended: true, include_rejected: true }
    const text = await ask(contract.searchVulnerabilities, '', body)
    const rows = JSON.parse(text).mapping.vulnerabilities as readonly Row[]
    for (const row of someOf(rows.filter((_, index) => index % 10 === 0))) {
      const { vendor, product, version, ...rest } = row
      const id = rest.cve_id
      const whole = JSON.parse(await ask(contract.getCve, `cve?cve_id=${id}`))
      expect(whole).toMatchObject(rest)
      const products = await ask(contract.listProductsOfCve, `cve/products?cve_id=${id}`)
      const { associated_products: list } = JSON.parse(products)
      expect([id, whole.associated_products]).toEqual([id, list])
      if (vendor === '-' && product === '-') expect([id, list]).toEqual([id, []])
      else expect(list).toContain(`${vendor} ${product} ${version}`)
    }
  })

  it('list every vendor with products, and each product once', async () => {
    const { vendors } = JSON.parse(await ask(contract.listCveVendors, 'vendors/'))
    expect(vendors).toEqual([...new Set(vendors as readonly string[])].toSorted())
    const names = (vendors as readonly string[]).filter((_, index) => index % 20 === 0)
    for (const vendor of someOf(names)) {
      const name = encodeURIComponent(vendor)
      const text = await ask(contract.listCveProducts, `vendor/products?vendor=${name}`)
      const { products } = JSON.parse(text)
      expect(products.length).toBeGreaterThan(0)
      expect(products).toEqual([...new Set(products as readonly string[])].toSorted())
    }
  })
})
