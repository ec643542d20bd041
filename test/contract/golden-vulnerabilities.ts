import type { Contract } from '../../core/contract.ts'
import type { GoldenCase } from './golden-cases.ts'

function toSearchCase(name: string, body: Readonly<Record<string, unknown>>): GoldenCase {
  return {
    operation: 'searchVulnerabilities',
    name,
    method: 'POST',
    target: '/api/cvesearch/',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }
}

function toListCase([operation, name, path]: readonly [
  operation: keyof Contract,
  name: string,
  path: string,
]): GoldenCase {
  return { operation, name, target: `/api/cvesearch/${path}` }
}

/** Every form of a filter (Specification 4.7), on records with the word `apache`. */
const filterForms = (
  [
    ['cvssv3_filter', '7'],
    ['cvssv3_filter', '7.5'],
    ['cvssv2_filter', '7.50'],
    ['cvssv2_filter', '10'],
    ['cvssv2_filter', '10.0'],
    ['cvssv3_filter', '>7'],
    ['cvssv3_filter', '> 7'],
    ['cvssv3_filter', ' >  9.7 '],
    ['cvssv2_filter', '<5.5'],
    ['cvssv3_filter', '>=9'],
    ['cvssv3_filter', '<=5.9'],
    ['cvssv3_filter', '= 9.8'],
    ['cvssv3_filter', 10],
    ['cvssv3_filter', 9.8],
    ['cvssv3_filter', '9.85'],
    ['cvssv3_filter', '1000'],
    ['cvssv3_filter', '>=7.5 <9'],
    ['cvssv3_filter', '>8,<7'],
    ['cvss_filter', '>=9'],
    ['cvss_filter', '=10 <9'],
    ['severity', 'high'],
    ['severity', 'Low, none'],
    ['severity', 'severe'],
    ['cvssv3_filter', ''],
    ['cvssv3_filter', null],
    ['cvssv3_filter', 'abc'],
    ['cvssv3_filter', 'NaN'],
    ['cvssv3_filter', '1e3'],
    ['cvssv3_filter', '-1'],
    ['year_published', '2021'],
    ['year_published', 2021],
    ['year_published', '>2017'],
    ['year_published', '<2018'],
    ['year_published', '>= 2021'],
    ['year_published', '>=2014 <=2017'],
    ['year_published', '2021.5'],
  ] as const
).map(([member, value]) =>
  toSearchCase(`${member}: ${JSON.stringify(value)}`, {
    search_term: 'apache',
    [member]: value,
    size: 3,
  }),
)

const searches: readonly GoldenCase[] = [
  toSearchCase('one word', { search_term: 'log4j' }),
  toSearchCase('words of which all must be found', { search_term: 'Apache  LOG4J   look-ups' }),
  toSearchCase('words of which one is nowhere', { search_term: 'log4j zebra' }),
  toSearchCase('a phrase', { search_term: '"HTTP Server"' }),
  toSearchCase('the same words as no phrase', { search_term: 'server http', size: 2 }),
  toSearchCase('a phrase that is nowhere', { search_term: '"server http"' }),
  toSearchCase('a phrase beside a word', { search_term: '"the process" recursion "can stop' }),
  toSearchCase('a CVE ID', { search_term: 'cve-2014-0160' }),
  toSearchCase('a CVE ID that is mentioned elsewhere', { search_term: '"CVE-2021-41773"' }),
  toSearchCase('a CVE ID that is not there', { search_term: 'CVE-1998-9999' }),
  toSearchCase('accents and case aside', { search_term: 'VICTIM’S' }),
  toSearchCase('a vendor, whose product is named', { search_term: 'openssl', size: 4 }),
  toSearchCase('a product that is not the first', { search_term: 'nginx' }),
  toSearchCase('a name with colons', { search_term: 'http::daemon' }),
  toSearchCase('operators, which mean nothing', { search_term: 'log4j* AND (NOT' }),
  toSearchCase('several filters', {
    search_term: 'microsoft',
    cvssv2_filter: '>=9',
    cvssv3_filter: '>8',
    year_published: '>2018',
  }),
  toSearchCase('a year that is not that of the id', {
    search_term: 'fortios',
    year_published: '2019',
  }),
  toSearchCase('the first page', { search_term: 'the', page: 1, size: 2 }),
  toSearchCase('the second page', { search_term: 'the', page: '2', size: '2' }),
  toSearchCase('a page past the end', { search_term: 'log4j', page: 9, size: 100 }),
  toSearchCase('a page without a size', { search_term: 'log4j', page: 1 }),
  toSearchCase('a rejected record, left out', { search_term: 'withdrawn' }),
  toSearchCase('a rejected record, asked for', {
    search_term: 'withdrawn',
    include_rejected: 'true',
  }),
  toSearchCase('known to be exploited', { search_term: 'log4j', kev: true }),
  toSearchCase('used by ransomware', { search_term: 'fortios', kev_ransomware: 'yes' }),
  toSearchCase('known since a day', { search_term: 'apache', kev_added_filter: '>=2022-01-01' }),
  toSearchCase('published on a day', { search_term: 'apache', published_filter: '2021-12-18' }),
  toSearchCase('published before a day', {
    search_term: 'openssl',
    published_filter: '< 2014-10-15',
  }),
  toSearchCase('changed since', { search_term: 'log4j', modified_filter: '>2021-12-14' }),
  toSearchCase('published between two days', {
    search_term: 'apache',
    published_filter: '>=2021-12-01 <2022-01-01',
  }),
  toSearchCase('rather likely to be exploited', { search_term: 'the', epss_filter: '>=0.5 <0.9' }),
  toSearchCase('of a list of severities', { search_term: 'cpython', severity: ['medium', 'none'] }),
  toSearchCase('likely to be exploited', { search_term: 'linux', epss_filter: '>0.5' }),
  toSearchCase('CVSS 4', { search_term: 'pan-os', cvssv4_filter: '>=6.9' }),
  toSearchCase('above a score of CVSS 4', { search_term: 'pan-os', cvssv4_filter: '> 6.9' }),
  toSearchCase('rather unlikely', { search_term: 'cpython', epss_percentile_filter: '<0.31' }),
  toSearchCase('by a weakness', { search_term: 'the', cwe_id: 'cwe-917' }),
  toSearchCase('by a vendor', { search_term: 'server', vendor: 'APACHE' }),
  toSearchCase('by a product of another vendor', {
    search_term: 'the',
    vendor: 'apache',
    product: 'sudo',
  }),
  toSearchCase('by a version within a range', {
    search_term: 'log4j',
    vendor: 'apache',
    product: 'log4j',
    version: '2.14.1',
  }),
  toSearchCase('by a version past all ranges', {
    search_term: 'log4j',
    product: 'log4j',
    version: '2.17.1',
  }),
  toSearchCase('by a product that a reporter states as unaffected', {
    search_term: 'cve',
    vendor: 'red hat',
    product: 'Red Hat Enterprise Linux 9',
  }),
  toSearchCase('by a version that is affected by default', {
    search_term: 'cve',
    vendor: 'Linux, Inc.',
    version: '6.6.95',
  }),
  toSearchCase('by a version that is stated as unaffected', {
    search_term: 'cve',
    vendor: 'linux',
    product: 'linux',
    version: '6.6.96',
  }),
  toSearchCase('by the state of exploitation', { search_term: 'cve', ssvc_exploitation: 'ACTIVE' }),
  toSearchCase('by an unknown state of exploitation', {
    search_term: 'cve',
    ssvc_exploitation: 'poc,high',
  }),
  toSearchCase('by a package', { search_term: 'cve', purl: 'pkg:npm/Lodash', extended: true }),
  toSearchCase('by a package and version', {
    search_term: 'cve',
    purl: 'pkg:npm/lodash@4.17.20-rc.1',
  }),
  toSearchCase('by a fixed version of a package', {
    search_term: 'cve',
    purl: 'pkg:npm/lodash@4.17.20',
  }),
  toSearchCase('by an invalid package URL', { search_term: 'cve', purl: 'pkg:maven/log4j' }),
  toSearchCase('by metrics of a vector', { search_term: 'jquery', cvss_vector: 'AV:N/UI:R' }),
  toSearchCase('by metrics that no one scoring has', {
    search_term: 'jquery',
    cvss_vector: 'AC:L/C:H',
  }),
  toSearchCase('by the host of a reference', { search_term: 'the', reference_host: 'curl.se' }),
  toSearchCase('by the tag of a reference', { search_term: 'linux', reference_tag: 'exploit' }),
  toSearchCase('extended', { search_term: 'CVE-2021-44228', extended: true }),
  toSearchCase('extended, with CVSS 4 and without products', {
    search_term: 'cpython',
    extended: 1,
  }),
  toSearchCase('extended, without scores', { search_term: 'MSG_OOB', extended: 'true' }),
  toSearchCase('no term', { cvssv2_filter: 'x', page: 0 }),
  toSearchCase('a term without words', { search_term: ' "*" ' }),
  { ...toSearchCase('of an empty database', { search_term: 'log4j' }), isEmpty: true },
  { ...toSearchCase('without a final slash', { search_term: 'beast' }), target: '/api/cvesearch' },
]

const lists = (
  [
    ['listCveVendors', 'all', 'vendors/'],
    ['listCveVendors', 'without a final slash', 'vendors'],
    ['listCveProducts', 'of a vendor', 'vendor/products?vendor=apache'],
    ['listCveProducts', 'case aside', 'vendor/products?vendor=MicroSoft'],
    ['listCveProducts', 'of a name with colons', 'vendor/products?vendor=http::daemon_project'],
    [
      'listCveProducts',
      'a legal form aside',
      'vendor/products?vendor=Python-Software-Foundation,%20Inc.',
    ],
    ['listCveProducts', 'of an unknown vendor', 'vendor/products?vendor=nobody'],
    ['listCveProducts', 'of nobody', 'vendor/products'],
    ['listProductsOfCve', 'ranges and versions', 'cve/products?cve_id=CVE-2021-44228'],
    ['listProductsOfCve', 'without platforms', 'cve/products?cve_id=cve-2017-0144'],
    ['listProductsOfCve', 'of a legacy feed', 'cve/products?cve_id=CVE-2018-0171'],
    ['listProductsOfCve', 'unescaped names', 'cve/products?cve_id=CVE-2023-23752'],
    ['listProductsOfCve', 'none', 'cve/products?cve_id=CVE-2024-12254'],
    ['listProductsOfCve', 'of reporters', 'cve/products?cve_id=CVE-2025-0938'],
    ['listProductsOfCve', 'affected by default', 'cve/products?cve_id=CVE-2025-38236'],
    ['listProductsOfCve', 'of NVD beside reporters', 'cve/products?cve_id=CVE-2024-3094'],
    ['listProductsOfCve', 'of a rejected record', 'cve/products?cve_id=CVE-2023-5129'],
    ['listProductsOfCve', 'an unknown id', 'cve/products?cve_id=CVE-1998-9999'],
    ['listProductsOfCve', 'a malformed id', 'cve/products?cve_id=44228'],
    ['getCve', 'everything', 'cve?cve_id=CVE-2021-44228'],
    ['getCve', 'platforms', 'cve?cve_id=CVE-2022-22965'],
    ['getCve', 'of a legacy feed', 'cve?cve_id=CVE-2018-0171'],
    ['getCve', 'CVSS 4 and a tag', 'cve?cve_id=CVE-2024-0012'],
    ['getCve', 'told by NVD to be exploited, not by the catalogue', 'cve?cve_id=CVE-2022-1388'],
    ['getCve', 'disputed', 'cve?cve_id=CVE-2020-19909'],
    ['getCve', 'with reporters', 'cve?cve_id=CVE-2024-3094'],
    ['getCve', 'affected by default', 'cve?cve_id=CVE-2025-38236'],
    ['getCve', 'rejected', 'cve?cve_id=CVE-2023-5129'],
    ['getCve', 'an unknown id', 'cve?cve_id=CVE-1998-9999'],
    ['getCve', 'no id', 'cve'],
    ['getVulnerabilityStatus', 'what is loaded', 'status'],
  ] as const
).map(toListCase)

const empty = (
  [
    ['listCveVendors', 'vendors/'],
    ['listCveProducts', 'vendor/products?vendor=apache'],
    ['listProductsOfCve', 'cve/products?cve_id=CVE-2021-44228'],
    ['getVulnerabilityStatus', 'status'],
  ] as const satisfies readonly (readonly [keyof Contract, string])[]
).map(
  ([operation, path]): GoldenCase => ({
    operation,
    name: 'of an empty database',
    target: `/api/cvesearch/${path}`,
    isEmpty: true,
  }),
)

const ANY = { search_term: 'cve' }

/** Records of NVD and the CVE Program, joined. */
const joined: readonly GoldenCase[] = [
  ...(
    [
      ['getCve', 'analysed by NVD, with a record of the CVE Program', 'cve?cve_id=CVE-2021-44228'],
      ['getCve', 'only published by NVD, with one', 'cve?cve_id=CVE-2025-38236'],
      ['getCve', 'reporters of both', 'cve?cve_id=CVE-2024-3094'],
      ['getCve', 'of the CVE Program alone', 'cve?cve_id=CVE-2025-55182'],
      ['getCve', 'disputed in both', 'cve?cve_id=CVE-2020-19909'],
      ['getCve', 'withdrawn in the CVE Program', 'cve?cve_id=CVE-2023-5129'],
      ['listProductsOfCve', 'of the CVE Program alone', 'cve/products?cve_id=CVE-2025-55182'],
      ['listProductsOfCve', 'of NVD before the CVE Program', 'cve/products?cve_id=CVE-2021-44228'],
      ['listProductsOfCve', 'of the newer of two records', 'cve/products?cve_id=CVE-2025-38236'],
      ['listCveVendors', 'of both', 'vendors/'],
      ['listCveProducts', 'of the CVE Program', 'vendor/products?vendor=psf'],
      ['listCveProducts', 'of both', 'vendor/products?vendor=linux'],
      ['getVulnerabilityStatus', 'of both', 'status'],
    ] as const
  ).map((each): GoldenCase => ({ ...toListCase(each), hasCveRecords: true })),
  ...(
    [
      ['unknown to NVD', { search_term: 'React2Shell', extended: true }],
      ['by an alias', { search_term: 'GHSA-j8r2-6x86-q33q' }],
      ['by a word that only the description of the CVE Program has', { search_term: 'assigner' }],
      ['by a Python package in an affected version', { ...ANY, purl: 'pkg:pypi/Requests@2.30.0' }],
      ['by a Python package in a fixed version', { ...ANY, purl: 'pkg:pypi/requests@2.31.0' }],
      ['by an npm package', { ...ANY, purl: 'pkg:npm/react-server-dom-webpack@19.1.1' }],
      ['by a fixed npm package', { ...ANY, purl: 'pkg:npm/react-server-dom-webpack@19.1.2' }],
      [
        'by a version that is named alone',
        { ...ANY, product: 'react-server-dom-parcel', version: '19.2.0' },
      ],
      ['by a product of the CVE Program', { ...ANY, vendor: 'acme rocket', product: 'launch os' }],
      ['by a fixed version of rpm', { ...ANY, vendor: 'acme rocket', version: '0:5.6.1-10.el9' }],
      [
        'by an affected version of rpm',
        { ...ANY, vendor: 'acme rocket', version: '0:5.6.1-2.el9' },
      ],
      ['by the state of exploitation of both', { ...ANY, ssvc_exploitation: 'active' }],
      ['by a score of the assigner', { ...ANY, vendor: 'meta', cvssv3_filter: '=10' }],
      ['by a weakness of the assigner', { ...ANY, cwe_id: 'CWE-506' }],
      [
        'withdrawn, with records of both',
        { search_term: 'CVE-2023-5129', include_rejected: true, extended: true },
      ],
    ] as const
  ).map(([name, body]): GoldenCase => ({ ...toSearchCase(name, body), hasCveRecords: true })),
]

/** Specification 4.7 to 4.10, and extensions. */
export const vulnerabilityCases: readonly GoldenCase[] = [
  ...searches,
  ...filterForms,
  ...lists,
  ...empty,
  ...joined,
]
