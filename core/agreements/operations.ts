import * as v from 'valibot'
import { defineOperations } from '../http/operation.ts'
import {
  dayRangeParams,
  dayRangeRule,
  flag,
  notBothRule,
  oneRequiredRule,
  pageParams,
  query,
  required,
  text,
} from '../http/params.ts'
import {
  addedApiSchema,
  agreementHistorySchema,
  agreementsSchema,
  newAgreementsSchema,
} from './wire.ts'

const viewParams = {
  assessment: query(flag(), 'Answer the assessment.'),
  agreement: query(flag(), 'Answer the agreements; the default.'),
  extended: query(
    flag(),
    'Tell of each agreement its kind, SPDX id, source, dates and digest as well, and of each statement of the assessment the id of its rule.',
  ),
}

export const agreementOperations = defineOperations({
  getAgreementsById: {
    method: 'GET',
    paths: ['/agreements/id'],
    section: '4.19',
    tag: 'agreements',
    summary: 'Agreements of an API by id',
    scope: 'read',
    params: {
      api_id: query(text(40), '`encrypted_id` or numeric id of the API.'),
      endpoint_id: query(text(20), 'Short or numeric id of one of its endpoints.'),
      ...viewParams,
    },
    rules: [oneRequiredRule('api_id', 'endpoint_id'), notBothRule('assessment', 'agreement')],
    output: { kind: 'json', schema: agreementsSchema },
  },
  getAgreementsByName: {
    method: 'GET',
    paths: ['/agreements/name'],
    section: '4.20',
    tag: 'agreements',
    summary: 'Agreements of APIs by name',
    description: 'One object when one API matches, an array when several do.',
    scope: 'read',
    params: {
      api_name: query(text(), 'Name of the API; case, accents and spacing aside.'),
      vendor_name: query(text(), 'Name of the vendor, likewise.'),
      ...viewParams,
    },
    rules: [oneRequiredRule('api_name', 'vendor_name'), notBothRule('assessment', 'agreement')],
    output: { kind: 'json', schema: v.union([agreementsSchema, v.array(agreementsSchema)]) },
  },
  listAddedApis: {
    method: 'GET',
    paths: ['/search/time', '/agreements/time'],
    section: '4.21',
    tag: 'agreements',
    summary: 'APIs added between two days',
    description:
      'Newest first, streamed. With `extended`, those too whose agreements changed in these days, each with the newest 100 of these changes.',
    scope: 'read',
    params: {
      start_date: required(dayRangeParams.start_date),
      end_date: required(dayRangeParams.end_date),
      api_name: query(text(), 'Only APIs of this name.'),
      vendor_name: query(text(), 'Only APIs of this vendor.'),
      extended: query(flag(), 'Tell what changed in the agreements.'),
    },
    rules: [dayRangeRule],
    output: { kind: 'rows', row: addedApiSchema },
    cache: 'catalogue',
  },
  replaceAgreements: {
    method: 'PUT',
    paths: ['/agreements'],
    tag: 'extension',
    summary: 'Enter the agreements of an API',
    description:
      'They take the place of those that were entered of the API before; an empty list removes these. What its description links to stays beside them. An API is named by `api_id`, or by `api_name` and `vendor_name`: one that is unknown is entered by its name alone, for a vendor that exists. The text of an agreement (up to 1 MiB) lets an assessment quote it.',
    scope: 'import',
    body: { kind: 'json', schema: newAgreementsSchema, maxBytes: 16 * 1024 * 1024 },
    output: { kind: 'json', schema: agreementsSchema },
  },
  listAgreementChanges: {
    method: 'GET',
    paths: ['/agreements/history'],
    tag: 'extension',
    summary: "History of an API's agreements",
    description:
      'Each agreement that was added, changed or removed, by an import or by entering, newest first.',
    scope: 'read',
    params: {
      api_id: required(query(text(40), '`encrypted_id` or numeric id of the API.')),
      ...pageParams,
    },
    output: { kind: 'json', schema: agreementHistorySchema },
  },
})
