import * as v from 'valibot'
import { defineOperations } from '../http/operation.ts'
import {
  dayRangeParams,
  dayRangeRule,
  flag,
  mutuallyExclusiveRule,
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
  assessment: query(flag(), 'Include the assessment.'),
  agreement: query(flag(), 'Return the agreements (the default).'),
  extended: query(
    flag(),
    'Include the kind, SPDX ID, source, dates and digest of each agreement, and the rule ID of each statement of the assessment.',
  ),
}

export const agreementOperations = defineOperations({
  getAgreementsById: {
    method: 'GET',
    paths: ['/agreements/id'],
    section: '4.19',
    tag: 'agreements',
    summary: 'Get the agreements of an API by ID',
    scope: 'read',
    params: {
      api_id: query(text(40), '`encrypted_id` or numeric ID of the API.'),
      endpoint_id: query(text(20), 'Short or numeric ID of one of its endpoints.'),
      ...viewParams,
    },
    rules: [
      oneRequiredRule('api_id', 'endpoint_id'),
      mutuallyExclusiveRule('assessment', 'agreement'),
    ],
    output: { kind: 'json', schema: agreementsSchema },
  },
  getAgreementsByName: {
    method: 'GET',
    paths: ['/agreements/name'],
    section: '4.20',
    tag: 'agreements',
    summary: 'Get the agreements of APIs by name',
    description: 'One object if one API matches, an array if several match.',
    scope: 'read',
    params: {
      api_name: query(text(), 'Name of the API, ignoring case, accents and spacing.'),
      vendor_name: query(text(), 'Name of the vendor, ignoring case, accents and spacing.'),
      ...viewParams,
    },
    rules: [
      oneRequiredRule('api_name', 'vendor_name'),
      mutuallyExclusiveRule('assessment', 'agreement'),
    ],
    output: { kind: 'json', schema: v.union([agreementsSchema, v.array(agreementsSchema)]) },
  },
  listAddedApis: {
    method: 'GET',
    paths: ['/search/time', '/agreements/time'],
    section: '4.21',
    tag: 'agreements',
    summary: 'List the APIs added in a period',
    description:
      'Newest first, streamed. `extended` adds the APIs whose agreements changed in this period, each with its newest 100 changes.',
    scope: 'read',
    params: {
      start_date: required(dayRangeParams.start_date),
      end_date: required(dayRangeParams.end_date),
      api_name: query(text(), 'Only APIs with this name.'),
      vendor_name: query(text(), 'Only APIs of this vendor.'),
      extended: query(flag(), 'Include changes to agreements.'),
    },
    rules: [dayRangeRule],
    output: { kind: 'rows', row: addedApiSchema },
    cache: 'catalogue',
  },
  replaceAgreements: {
    method: 'PUT',
    paths: ['/agreements'],
    tag: 'extension',
    summary: 'Set the agreements of an API',
    description:
      'Replaces the entered agreements of the API; an empty list removes them. Agreements from its description remain. Select the API by `api_id`, or by `api_name` and `vendor_name`. An unknown API name is added to the catalogue if its vendor exists. If an agreement includes its text (up to 1 MiB), assessments can quote it.',
    scope: 'import',
    body: { kind: 'json', schema: newAgreementsSchema, maxBytes: 16 * 1024 * 1024 },
    output: { kind: 'json', schema: agreementsSchema },
  },
  listAgreementChanges: {
    method: 'GET',
    paths: ['/agreements/history'],
    tag: 'extension',
    summary: "List the changes to an API's agreements",
    description:
      'Lists agreements that an import or an account added, changed or removed. Newest first.',
    scope: 'read',
    params: {
      api_id: required(query(text(40), '`encrypted_id` or numeric ID of the API.')),
      ...pageParams,
    },
    output: { kind: 'json', schema: agreementHistorySchema },
  },
})
