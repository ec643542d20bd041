import * as v from 'valibot'
import { defineOperations } from '../http/operation.ts'
import {
  dayRangeParams,
  dayRangeRule,
  flag,
  notBothRule,
  oneRequiredRule,
  query,
  required,
  text,
} from '../http/params.ts'
import { addedApiSchema, agreementsSchema } from './wire.ts'

const viewParams = {
  assessment: query(flag(), 'Answer the assessment.'),
  agreement: query(flag(), 'Answer the agreements; the default.'),
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
    cache: 'catalogue',
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
    cache: 'catalogue',
  },
  listAddedApis: {
    method: 'GET',
    paths: ['/search/time', '/agreements/time'],
    section: '4.21',
    tag: 'agreements',
    summary: 'APIs added between two days',
    description: 'Newest first, streamed.',
    scope: 'read',
    params: {
      start_date: required(dayRangeParams.start_date),
      end_date: required(dayRangeParams.end_date),
      api_name: query(text(), 'Only APIs of this name.'),
      vendor_name: query(text(), 'Only APIs of this vendor.'),
    },
    rules: [dayRangeRule],
    output: { kind: 'rows', row: addedApiSchema },
    cache: 'catalogue',
  },
})
