import * as v from 'valibot'
import { defineOperations } from '../http/operation.ts'
import { query, required, text, textMatching } from '../http/params.ts'
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
    textMatching({
      pattern: /^[Cc][Vv][Ee]-\d{4}-\d{4,9}$/,
      wanted: 'a CVE ID like CVE-2021-44228',
    }),
    'CVE identifier, case-insensitive.',
  ),
)

const cveOrAlias = required(
  query(
    textMatching({
      pattern:
        /^([Cc][Vv][Ee]-\d{4}-\d{4,9}|[Gg][Hh][Ss][Aa](-[2-9CFGHJMPQRVWXcfghjmpqrvwx]{4}){3}|[Ee][Uu][Vv][Dd]-\d{4}-\d{1,9})$/,
      wanted: 'a CVE ID like CVE-2021-44228, or an alias (GHSA or EUVD)',
    }),
    'CVE identifier or an alias (GHSA or EUVD), case-insensitive.',
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
      'Finds records that contain all words and phrases of the term in their ID, description, vendors or products. Results are sorted by publication, newest first, then by ID. A filter is a number, optionally after `>`, `<`, `>=`, `<=` or `=` (the default), or a range of two bounds (`>=4 <7`). An empty filter is ignored. A record without the value does not match. `processed_search_term` is the term in lower case, with white space collapsed and operator characters removed. All matches are streamed unless `page` or `size` is set; `num_results` is the exact total. `Content-Length` in the response is the number of bytes of the serialised `mapping`.',
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
    description: 'Distinct names as spelled in CPE, sorted by code point.',
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
    description: 'Distinct names, sorted by code point; empty for an unknown vendor.',
    scope: 'read',
    params: { vendor: required(query(text(200), 'Vendor, case-insensitive.')) },
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
      'Each as `<vendor> <product> <version>`. A range of versions has no spaces; a missing version is `-`. Platforms that are not vulnerable themselves are omitted.',
    scope: 'read',
    params: { cve_id: cveId },
    output: { kind: 'json', schema: v.object({ associated_products: v.array(v.string()) }) },
    cache: 'vulnerabilities',
  },
  getCve: {
    method: 'GET',
    paths: ['/cvesearch/cve'],
    tag: 'extension',
    summary: 'Show a complete CVE record',
    description:
      'Returns the fields of the extended search, descriptions in all languages, configurations and all affected products.',
    scope: 'read',
    params: { cve_id: cveOrAlias },
    output: { kind: 'json', schema: cveSchema },
    cache: 'vulnerabilities',
  },
  getVulnerabilityStatus: {
    method: 'GET',
    paths: ['/cvesearch/status'],
    tag: 'extension',
    summary: 'Show the size and age of the vulnerability database',
    scope: 'read',
    output: { kind: 'json', schema: statusSchema },
  },
})
