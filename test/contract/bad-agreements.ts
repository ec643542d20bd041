import type { BadInputCase } from './bad-input-case.ts'
import { VALID_REQUESTS } from './valid-requests.ts'

type Expected = Pick<BadInputCase, 'status'> & Partial<BadInputCase>

const LINK = { agreement_name: 'Terms', agreement_link: 'https://a.example/t' }
const LONG = 'x'.repeat(2_001)

const invalid = (...errors: readonly string[]): Expected => ({
  status: 400,
  code: 'invalid_input',
  errors,
})
const broken: Expected = { status: 400, code: 'invalid_body' }
const unknown: Expected = { status: 404, code: 'not_found' }

function toPutCase(body: unknown, expected: Expected): BadInputCase {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const request = { ...VALID_REQUESTS.replaceAgreements, body: text }
  return { name: `PUT /agreements ${text.slice(0, 100)}`, request, ...expected }
}

/** One agreement that is wrong in these members. */
const of = (members: Readonly<Record<string, unknown>>, ...errors: readonly string[]) =>
  toPutCase({ api_id: 3, agreements: [{ ...LINK, ...members }] }, invalid(...errors))

function toGetCase(target: string, expected: Expected): BadInputCase {
  return { name: target.slice(0, 70), request: { target }, ...expected }
}

const history = '/api/agreements/history'
const AT = 'agreements.0'

export const BAD_AGREEMENTS = {
  replaceAgreements: [
    toPutCase('', invalid('agreements')),
    toPutCase('[]', broken),
    toPutCase('{"agreements":', broken),
    toPutCase({ api_id: 3 }, invalid('agreements')),
    toPutCase({ api_id: 3, agreements: {} }, invalid('agreements')),
    toPutCase({ api_id: 3, agreements: [null] }, invalid(AT)),
    toPutCase({ api_id: 3, agreements: Array(101).fill(LINK) }, invalid('agreements')),
    toPutCase({ api_id: 3, agreements: [LINK, LINK] }, invalid('agreements')),
    toPutCase({ api_id: 3, agreements: [], colour: 1 }, invalid('colour')),
    toPutCase({ agreements: [LINK] }, invalid('api_id')),
    toPutCase({ api_name: 'Skycast Weather', agreements: [LINK] }, invalid('api_id')),
    toPutCase({ vendor_name: 'Skycast', agreements: [LINK] }, invalid('api_id')),
    toPutCase({ api_id: 3, api_name: 'x', vendor_name: 'y', agreements: [] }, invalid('api_id')),
    toPutCase({ api_id: 0, agreements: [] }, invalid('api_id')),
    toPutCase({ api_id: 1.5, agreements: [] }, invalid('api_id')),
    toPutCase({ api_id: LONG, agreements: [] }, invalid('api_id')),
    toPutCase({ api_id: '', agreements: [] }, unknown),
    toPutCase({ api_id: "3' or 1=1", agreements: [] }, unknown),
    toPutCase({ api_id: 99_999, agreements: [LINK] }, unknown),
    toPutCase(
      { api_name: ' ', vendor_name: '\0', agreements: [] },
      invalid('api_name', 'vendor_name'),
    ),
    toPutCase(
      { api_name: '\u0301', vendor_name: 'Skycast', agreements: [LINK] },
      invalid('api_name'),
    ),
    toPutCase(
      { api_name: 'New', vendor_name: 'Nobody', agreements: [LINK] },
      invalid('vendor_name'),
    ),
    of({ agreement_name: '' }, `${AT}.agreement_name`),
    of({ agreement_name: 'a\nb' }, `${AT}.agreement_name`),
    of({ agreement_name: '\ud800' }, `${AT}.agreement_name`),
    of({ agreement_name: LONG }, `${AT}.agreement_name`),
    of({ agreement_link: '' }, `${AT}.agreement_link`),
    of({ agreement_link: '/terms' }, `${AT}.agreement_link`),
    of({ agreement_link: 'javascript:alert(1)' }, `${AT}.agreement_link`),
    of({ agreement_link: 'ftp://a.example/t' }, `${AT}.agreement_link`),
    of({ agreement_link: 'https://a.example/ t' }, `${AT}.agreement_link`),
    of({ agreement_link: `https://a.example/${LONG}` }, `${AT}.agreement_link`),
    of({ type: '<script>' }, `${AT}.type`),
    of({ type: 7 }, `${AT}.type`),
    of({ text: 7 }, `${AT}.text`),
    of({ text: 'a\0b' }, `${AT}.text`),
    of({ text: 'x'.repeat(1024 * 1024 + 1) }, `${AT}.text`),
    of({ text: 'ü'.repeat(600_000) }, `${AT}.text`),
    of({ retrieved_at: 'yesterday' }, `${AT}.retrieved_at`),
    of({ retrieved_at: '2026-02-30' }, `${AT}.retrieved_at`),
    of({ colour: 1 }, `${AT}.colour`),
  ],
  listAgreementChanges: [
    toGetCase(history, invalid('api_id')),
    toGetCase(`${history}?api_id=`, invalid('api_id')),
    toGetCase(`${history}?api_id=3&api_id=3`, invalid('api_id')),
    toGetCase(`${history}?api_id=3&size=0&page=-1`, invalid('size', 'page')),
    toGetCase(`${history}?api_id=3&size=101`, invalid('size')),
    toGetCase(`${history}?api_id=${LONG}`, invalid('api_id')),
    toGetCase(`${history}?api_id=%00`, unknown),
    toGetCase(`${history}?api_id=3%27--`, unknown),
    toGetCase(`${history}?api_id=3&colour=red`, { status: 200 }),
  ],
} as const
