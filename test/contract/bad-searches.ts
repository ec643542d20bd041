import type { BadInputCase } from './bad-input-case.ts'
import { VALID_REQUESTS } from './valid-requests.ts'

function search(name: string, body: string, expected: Partial<BadInputCase>): BadInputCase {
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
  search('an empty body', '', { errors: ['search_term'] }),
  search('no JSON', 'search_term=log4j', { code: 'invalid_body' }),
  search('a list', '["log4j"]', { code: 'invalid_body' }),
  search('no term', '{"cvssv3_filter":"7"}', { errors: ['search_term'] }),
  search('null for a term', '{"search_term":null}', { errors: ['search_term'] }),
  search('a term of another kind', '{"search_term":["log4j"]}', { errors: ['search_term'] }),
  search('an empty term', '{"search_term":""}', { errors: ['search_term'] }),
  search('a term of white space', '{"search_term":" \\t\\n\\u00a0"}', {
    errors: ['search_term'],
  }),
  search('a term of operators', '{"search_term":"\\"*\\" ()^:"}', { errors: ['search_term'] }),
  search('a long term', `{"search_term":"${'x'.repeat(257)}"}`, { errors: ['search_term'] }),
  search('many words', `{"search_term":"${'a '.repeat(17)}"}`, { errors: ['search_term'] }),
  ...GARBAGE.map((value) =>
    search(`${value} for a score`, every(SCORES, value), { errors: SCORES }),
  ),
  ...[true, [], {}, -1, 1e21].map((value) =>
    search(`${JSON.stringify(value)} for a score`, every(SCORES, value), { errors: SCORES }),
  ),
  ...['7.0', '2021.5', '20x', '>'].map((value) =>
    search(`${value} for a year`, every(['year_published'], value), { errors: ['year_published'] }),
  ),
  ...['2021-02-30', '2021', 20210228, '>=2021-2-28', 'today'].map((value) =>
    search(`${value} for a day`, every(DAYS, value), { errors: DAYS }),
  ),
  ...['FALSE', 'nein', 2, [], {}].map((value) =>
    search(`${JSON.stringify(value)} for a flag`, every(FLAGS, value), { errors: FLAGS }),
  ),
  ...['severe', 'high;low', 7, { high: true }].map((value) =>
    search(`${JSON.stringify(value)} for a severity`, every(['severity'], value), {
      errors: ['severity'],
    }),
  ),
  search('six severities', every(['severity'], Array(6).fill('low')), { errors: ['severity'] }),
  search('a version of nothing', every(['version'], '2.0'), { errors: ['version'] }),
  search(
    'a version of nothing, and a wrong filter',
    every(['version', 'kev_added_filter'], '2.0'),
    {
      errors: ['kev_added_filter', 'version'],
    },
  ),
  search('a comparison with a version', every(['product', 'version'], '>=2.0'), {
    errors: ['version'],
  }),
  search('any version', every(['product', 'version'], '*'), { errors: ['version'] }),
  search('a weakness that is none', every(['cwe_id'], "79' OR 1=1"), { errors: ['cwe_id'] }),
  search('a vector that is none', every(['cvss_vector'], 'network'), { errors: ['cvss_vector'] }),
  search('an address for a host', every(['reference_host'], 'https://github.com/'), {
    errors: ['reference_host'],
  }),
  search('long names', every(['vendor', 'product', 'version', 'reference_tag'], 'x'.repeat(300)), {
    errors: ['vendor', 'product', 'version', 'reference_tag'],
  }),
  search('pages out of bounds', '{"search_term":"a","page":0,"size":101}', {
    errors: ['page', 'size'],
  }),
  search('pages that are no integers', '{"search_term":"a","page":1.5,"size":"ten"}', {
    errors: ['page', 'size'],
  }),
  search(
    'everything wrong at once',
    '{"cvssv2_filter":"a","cvssv3_filter":"b","year_published":"c","kev":"d","page":"e"}',
    { errors: ['search_term', 'cvssv2_filter', 'cvssv3_filter', 'year_published', 'kev', 'page'] },
  ),
  search('no word and wrong filters', '{"search_term":"\\"*\\"","cvssv3_filter":"x","size":0}', {
    errors: ['search_term', 'cvssv3_filter', 'size'],
  }),
  search('many words and a wrong flag', `{"search_term":"${'a '.repeat(17)}","kev":"x"}`, {
    errors: ['search_term', 'kev'],
  }),
  search(
    '256 characters outside the basic plane',
    `{"search_term":"a${'\u{1f600}'.repeat(255)}"}`,
    {
      status: 200,
    },
  ),
  search(
    'empty and null members, which are absent',
    '{"search_term":"log4j","cvssv2_filter":"","cvssv3_filter":null,"year_published":" ","kev":"","page":""}',
    { status: 200 },
  ),
  search('members that nobody knows', '{"search_term":"log4j","limit":{},"__proto__":{"a":1}}', {
    status: 200,
  }),
  search('operators of query languages', '{"search_term":"log4j OR 1=1; -- NEAR/3 * ^"}', {
    status: 200,
  }),
  search('half a character and NUL', '{"search_term":"log4j \\ud800 \\u0000"}', { status: 200 }),
]
