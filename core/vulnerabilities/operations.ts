import * as v from 'valibot'
import { defineOperations } from '../http/operation.ts'
import { formed, query, required, text } from '../http/params.ts'
import {
  cveSchema,
  mappingHeadSchema,
  searchBodySchema,
  searchTailSchema,
  statusSchema,
  vulnerabilitySchema,
} from './wire.ts'

const cveId = required(
  query(
    formed({ pattern: /^[Cc][Vv][Ee]-\d{4}-\d{4,9}$/, wanted: 'a CVE id like CVE-2021-44228' }),
    'CVE identifier, case aside.',
  ),
)

export const vulnerabilityOperations = defineOperations({
  searchVulnerabilities: {
    method: 'POST',
    paths: ['/cvesearch/'],
    section: '4.7',
    tag: 'vulnerabilities',
    summary: 'Search CVE records',
    description:
      'Finds records that hold all words and phrases of the term in their id, description, vendors or products, newest publication first, then by id. A filter is a number with `>`, `<`, `>=`, `<=` or `=` in front of it, or nothing for equality, or a range of two bounds (`>=4 <7`); an empty one is absent; a record without the value does not pass. `processed_search_term` is the term in lower case, white space collapsed, without operator characters. All matches are answered, streamed, unless `page` or `size` is given; `num_results` is the exact total. `Content-Length` in the answer is the number of bytes of the serialised `mapping`.',
    scope: 'read',
    body: { kind: 'json', schema: searchBodySchema },
    output: {
      kind: 'rows',
      within: { at: 'mapping', before: { 'Content-Type': 'application/json' } },
      head: mappingHeadSchema,
      at: 'vulnerabilities',
      row: vulnerabilitySchema,
      tail: searchTailSchema,
    },
  },
  listCveVendors: {
    method: 'GET',
    paths: ['/cvesearch/vendors/'],
    section: '4.8',
    tag: 'vulnerabilities',
    summary: 'List the vendors of the vulnerability database',
    description: 'Distinct, by code point, as the CPE writes them.',
    scope: 'read',
    output: { kind: 'json', schema: v.object({ vendors: v.array(v.string()) }) },
    cache: 'vulnerabilities',
  },
  listCveProducts: {
    method: 'GET',
    paths: ['/cvesearch/vendor/products'],
    section: '4.9',
    tag: 'vulnerabilities',
    summary: 'List the products of a vendor in the vulnerability database',
    description: 'Distinct, by code point; none for a vendor that is unknown.',
    scope: 'read',
    params: { vendor: required(query(text(200), 'Vendor, case aside.')) },
    output: { kind: 'json', schema: v.object({ products: v.array(v.string()) }) },
    cache: 'vulnerabilities',
  },
  listProductsOfCve: {
    method: 'GET',
    paths: ['/cvesearch/cve/products'],
    section: '4.10',
    tag: 'vulnerabilities',
    summary: 'List the products that a CVE record affects',
    description:
      'Each as `<vendor> <product> <version>`; a range of versions is written without spaces, no version is `-`. Platforms that are not vulnerable themselves are left out.',
    scope: 'read',
    params: { cve_id: cveId },
    output: { kind: 'json', schema: v.object({ associated_products: v.array(v.string()) }) },
    cache: 'vulnerabilities',
  },
  getCve: {
    method: 'GET',
    paths: ['/cvesearch/cve'],
    tag: 'extension',
    summary: 'Show a CVE record with everything that is known of it',
    description:
      'The fields of the extended search, descriptions in all languages, configurations and all affected products.',
    scope: 'read',
    params: { cve_id: cveId },
    output: { kind: 'json', schema: cveSchema },
    cache: 'vulnerabilities',
  },
  getVulnerabilityStatus: {
    method: 'GET',
    paths: ['/cvesearch/status'],
    tag: 'extension',
    summary: 'Tell what the vulnerability database holds and how old it is',
    scope: 'read',
    output: { kind: 'json', schema: statusSchema },
  },
})
