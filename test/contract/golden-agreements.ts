import type { GoldenCase } from './golden-cases.ts'

const toReplaceCase = (name: string, body: unknown): GoldenCase => ({
  operation: 'replaceAgreements',
  name,
  method: 'PUT',
  target: '/api/agreements',
  headers: { 'content-type': 'application/json' },
  body: typeof body === 'string' ? body : JSON.stringify(body),
})

const toGetCase = (
  operation: GoldenCase['operation'],
  name: string,
  query: string,
): GoldenCase => ({
  operation,
  name,
  target: `/api/agreements/${query}`,
})

const TERMS = { agreement_name: 'Terms of Service', agreement_link: 'https://maps.example/terms' }
const PRICING = { agreement_name: 'Plans', agreement_link: 'https://maps.example/plans' }

/** Contract 5: entered agreements, and the responses after them. */
export const enteredAgreementCases: readonly GoldenCase[] = [
  toGetCase('getAgreementsById', 'extended', 'id?api_id=1&extended=true'),
  toGetCase('getAgreementsByName', 'extended', 'name?api_name=ledgerly+payments&extended=1'),
  toReplaceCase('beside imported ones, with a text', {
    api_id: 1,
    agreements: [
      {
        ...TERMS,
        text: 'You may call us.\nNot at night.',
        retrieved_at: '2026-03-13T10:00:00Z',
      },
      { agreement_name: 'GPLv3', agreement_link: 'https://maps.example/code' },
      { ...PRICING, type: 'x-pricing' },
    ],
  }),
  toGetCase('getAgreementsById', 'imported and entered ones', 'id?api_id=1&extended=true'),
  toReplaceCase('with a text that rules speak of', {
    api_id: 2,
    agreements: [
      {
        ...TERMS,
        text: 'We may modify these terms at any time. You retain all rights in your data.',
        retrieved_at: '2025-02-13T10:00:00Z',
      },
    ],
  }),
  toGetCase(
    'getAgreementsById',
    'assessed by its text',
    'id?api_id=2&assessment=true&extended=true',
  ),
  toReplaceCase('the same again', { api_id: '1', agreements: [TERMS, PRICING] }),
  toReplaceCase('by a name that is unknown, of a vendor', {
    api_name: 'Loaf Locator',
    vendor_name: 'ÖSEL  bäckerei',
    agreements: [{ ...TERMS, type: 'Handshake' }],
  }),
  toGetCase('getAgreementsByName', 'known by its name alone', 'name?api_name=loaf+locator'),
  toReplaceCase('by the same name again, none', {
    api_name: 'LOAF locator',
    vendor_name: 'Ösel Bäckerei',
    agreements: [],
  }),
  toReplaceCase('of an unknown API', { api_id: 'zzz', agreements: [] }),
  toReplaceCase('of an unknown API by name, none', {
    api_name: 'Nothing',
    vendor_name: 'Pigeon',
    agreements: [],
  }),
  toReplaceCase('of an unknown vendor', {
    api_name: 'X',
    vendor_name: 'Nobody',
    agreements: [TERMS],
  }),
  toReplaceCase('of no API', { agreements: [TERMS] }),
  toReplaceCase('the same link twice', { api_id: 1, agreements: [TERMS, TERMS] }),
  toReplaceCase('links that are none', {
    api_id: 1,
    agreements: [{ agreement_name: ' ', agreement_link: 'javascript:alert(1)', colour: 1 }],
  }),
  { ...toReplaceCase('without the scope', { api_id: 1, agreements: [] }), key: 'readOnly' },
  toGetCase('listAgreementChanges', 'newest first', 'history?api_id=1'),
  toGetCase('listAgreementChanges', 'the second page', 'history?api_id=1&size=2&page=2'),
  toGetCase('listAgreementChanges', 'a page past the end', 'history?api_id=4&page=2'),
  toGetCase('listAgreementChanges', 'of an unknown API', 'history?api_id=zzz'),
  toGetCase('listAgreementChanges', 'of no API', 'history'),
  toGetCase(
    'listAddedApis',
    'with what changed in their agreements',
    'time?start_date=2026-03-14&end_date=2026-03-14&extended=true&vendor_name=Ledgerly',
  ),
  toGetCase(
    'listAddedApis',
    'known by their name alone',
    'time?start_date=2026-03-14&end_date=2026-03-14&api_name=Loaf+Locator',
  ),
]
