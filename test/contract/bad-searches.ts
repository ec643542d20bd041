import type { BadInputCase } from './bad-input-case.ts'
import { VALID_REQUESTS } from './valid-requests.ts'

function toBadSearch(name: string, body: string, expected: Partial<BadInputCase>): BadInputCase {
  return {
    name,
    request: { ...VALID_REQUESTS.searchVulnerabilities, body },
    status: 400,
    ...(expected.errors ? { code: 'invalid_input' as const } : {}),
    ...expected,
  }
}

const SCORES = [
  'cvssv2_filter',
  'cvssv3_filter',
  'cvssv4_filter',
  'cvss_filter',
  'epss_filter',
] as const
const GARBAGE = [
  'abc',
  'NaN',
  'Infinity',
  '1e3',
  '-1',
  '+7',
  '7.',
  '.5',
  '>',
  '> >7',
  '=>7',
  '7 8',
  '>7 >8',
  '7,<8',
]
const FLAGS = ['kev', 'kev_ransomware', 'include_rejected', 'extended'] as const
const DAYS = ['kev_added_filter', 'published_filter', 'modified_filter'] as const

function every(names: readonly string[], value: unknown): string {
  return JSON.stringify({
    search_term: 'log4j',
    ...Object.fromEntries(names.map((name) => [name, value])),
  })
}

/**
 * Requests that the vulnerability search rejects (Specification 4.7), and unusual but valid ones.
 */
export const BAD_SEARCHES: readonly BadInputCase[] = [
  ...['npm/lodash', 'lodash', 'https://www.npmjs.org/lodash', `pkg:npm/${'a'.repeat(500)}`].map(
    (purl) =>
      toBadSearch(`the package ${purl.slice(0, 30)}`, every(['purl'], purl), { errors: ['purl'] }),
  ),
  ...[
    'pkg:',
    'pkg:npm',
    'pkg:npm/',
    'pkg:maven/log4j',
    'pkg:npm/a@^1',
    'pkg:golang/a.b/c@vx',
    'pkg:npm/%',
  ].map((purl) =>
    toBadSearch(`the package ${purl}`, every(['purl'], purl), { code: 'invalid_input' }),
  ),
  toBadSearch('an empty body', '', { errors: ['search_term'] }),
  toBadSearch('no JSON', 'search_term=log4j', { code: 'invalid_body' }),
  toBadSearch('a list', '["log4j"]', { code: 'invalid_body' }),
  toBadSearch('no term', '{"cvssv3_filter":"7"}', { errors: ['search_term'] }),
  toBadSearch('null for a term', '{"search_term":null}', { errors: ['search_term'] }),
  toBadSearch('a term of another kind', '{"search_term":["log4j"]}', { errors: ['search_term'] }),
  toBadSearch('an empty term', '{"search_term":""}', { errors: ['search_term'] }),
  toBadSearch('a term of white space', '{"search_term":" \\t\\n\\u00a0"}', {
    errors: ['search_term'],
  }),
  toBadSearch('a term of operators', '{"search_term":"\\"*\\" ()^:"}', { errors: ['search_term'] }),
  toBadSearch('a long term', `{"search_term":"${'x'.repeat(257)}"}`, { errors: ['search_term'] }),
  toBadSearch('many words', `{"search_term":"${'a '.repeat(17)}"}`, { errors: ['search_term'] }),
  ...GARBAGE.map((value) =>
    toBadSearch(`${value} for a score`, every(SCORES, value), { errors: SCORES }),
  ),
  ...[true, [], {}, -1, 1e21].map((value) =>
    toBadSearch(`${JSON.stringify(value)} for a score`, every(SCORES, value), { errors: SCORES }),
  ),
  ...['7.0', '2021.5', '20x', '>'].map((value) =>
    toBadSearch(`${value} for a year`, every(['year_published'], value), {
      errors: ['year_published'],
    }),
  ),
  ...['2021-02-30', '2021', 20210228, '>=2021-2-28', 'today'].map((value) =>
    toBadSearch(`${value} for a day`, every(DAYS, value), { errors: DAYS }),
  ),
  ...['FALSE', 'nein', 2, [], {}].map((value) =>
    toBadSearch(`${JSON.stringify(value)} for a flag`, every(FLAGS, value), { errors: FLAGS }),
  ),
  ...['severe', 'high;low', 7, { high: true }].map((value) =>
    toBadSearch(`${JSON.stringify(value)} for a severity`, every(['severity'], value), {
      errors: ['severity'],
    }),
  ),
  toBadSearch('six severities', every(['severity'], Array(6).fill('low')), {
    errors: ['severity'],
  }),
  toBadSearch('a version of nothing', every(['version'], '2.0'), { errors: ['version'] }),
  toBadSearch(
    'a version of nothing, and a wrong filter',
    every(['version', 'kev_added_filter'], '2.0'),
    {
      errors: ['kev_added_filter', 'version'],
    },
  ),
  toBadSearch('a comparison with a version', every(['product', 'version'], '>=2.0'), {
    errors: ['version'],
  }),
  toBadSearch('any version', every(['product', 'version'], '*'), { errors: ['version'] }),
  toBadSearch('a weakness that is none', every(['cwe_id'], "79' OR 1=1"), { errors: ['cwe_id'] }),
  toBadSearch('a vector that is none', every(['cvss_vector'], 'network'), {
    errors: ['cvss_vector'],
  }),
  toBadSearch('an address for a host', every(['reference_host'], 'https://github.com/'), {
    errors: ['reference_host'],
  }),
  toBadSearch(
    'long names',
    every(['vendor', 'product', 'version', 'reference_tag'], 'x'.repeat(300)),
    {
      errors: ['vendor', 'product', 'version', 'reference_tag'],
    },
  ),
  toBadSearch('pages out of bounds', '{"search_term":"a","page":0,"size":101}', {
    errors: ['page', 'size'],
  }),
  toBadSearch('pages that are no integers', '{"search_term":"a","page":1.5,"size":"ten"}', {
    errors: ['page', 'size'],
  }),
  toBadSearch(
    'everything wrong at once',
    '{"cvssv2_filter":"a","cvssv3_filter":"b","year_published":"c","kev":"d","page":"e"}',
    { errors: ['search_term', 'cvssv2_filter', 'cvssv3_filter', 'year_published', 'kev', 'page'] },
  ),
  toBadSearch(
    'no word and wrong filters',
    '{"search_term":"\\"*\\"","cvssv3_filter":"x","size":0}',
    {
      errors: ['search_term', 'cvssv3_filter', 'size'],
    },
  ),
  toBadSearch('many words and a wrong flag', `{"search_term":"${'a '.repeat(17)}","kev":"x"}`, {
    errors: ['search_term', 'kev'],
  }),
  toBadSearch(
    '256 characters outside the basic plane',
    `{"search_term":"a${'\u{1f600}'.repeat(255)}"}`,
    {
      status: 200,
    },
  ),
  toBadSearch(
    'empty and null members, which are absent',
    '{"search_term":"log4j","cvssv2_filter":"","cvssv3_filter":null,"year_published":" ","kev":"","page":""}',
    { status: 200 },
  ),
  toBadSearch(
    'members that nobody knows',
    '{"search_term":"log4j","limit":{},"__proto__":{"a":1}}',
    {
      status: 200,
    },
  ),
  toBadSearch('operators of query languages', '{"search_term":"log4j OR 1=1; -- NEAR/3 * ^"}', {
    status: 200,
  }),
  toBadSearch('half a character and NUL', '{"search_term":"log4j \\ud800 \\u0000"}', {
    status: 200,
  }),
]
