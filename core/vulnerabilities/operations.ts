import * as v from 'valibot'
import { defineOperations } from '../http/operation.ts'
import { query, required, text } from '../http/params.ts'

const filter = v.optional(v.union([v.string(), v.number()]))

export const vulnerabilityOperations = defineOperations({
  searchVulnerabilities: {
    method: 'POST',
    paths: ['/cvesearch/'],
    section: '4.7',
    tag: 'vulnerabilities',
    summary: 'Search CVE records',
    scope: 'read',
    body: {
      kind: 'json',
      schema: v.looseObject({
        search_term: v.string(),
        cvssv2_filter: filter,
        cvssv3_filter: filter,
        year_published: filter,
      }),
    },
    output: { kind: 'json', schema: v.looseObject({}) },
    isPlanned: true,
  },
  listCveVendors: {
    method: 'GET',
    paths: ['/cvesearch/vendors/'],
    section: '4.8',
    tag: 'vulnerabilities',
    summary: 'List the vendors of the vulnerability database',
    scope: 'read',
    output: { kind: 'rows', at: 'vendors', row: v.string() },
    isPlanned: true,
  },
  listCveProducts: {
    method: 'GET',
    paths: ['/cvesearch/vendor/products'],
    section: '4.9',
    tag: 'vulnerabilities',
    summary: 'List the products of a vendor in the vulnerability database',
    scope: 'read',
    params: { vendor: required(query(text(), 'Vendor, case aside.')) },
    output: { kind: 'json', schema: v.object({ products: v.array(v.string()) }) },
    isPlanned: true,
  },
  listProductsOfCve: {
    method: 'GET',
    paths: ['/cvesearch/cve/products'],
    section: '4.10',
    tag: 'vulnerabilities',
    summary: 'List the products that a CVE record affects',
    scope: 'read',
    params: { cve_id: required(query(text(30), 'CVE identifier.')) },
    output: { kind: 'json', schema: v.object({ associated_products: v.array(v.string()) }) },
    isPlanned: true,
  },
})
