import { ServiceError } from '../../http/problems.ts'
import type { CveRecord } from '../records.ts'
import { isCveId } from './cve-id.ts'
import { toFields, wrongField } from './fields.ts'
import { fromNvd1 } from './nvd-1.ts'
import { fromNvd2 } from './nvd-2.ts'

/**
 * Converts an item of an NVD feed or API page. JSON 2.0 is `{ cve: { id } }`, or the content of
 * `cve`; legacy 1.1 is `{ cve: { CVE_data_meta } }`. Throws a `ServiceError` with code
 * `invalid_input` that names the invalid field, and the record's id if that is valid.
 */
export function toCveRecord(item: unknown): CveRecord {
  let name = 'a record'
  try {
    const fields = toFields(item, 'the record')
    const cve = fields.cve === undefined ? fields : toFields(fields.cve, 'cve')
    if (cve.CVE_data_meta === undefined) {
      const id = toId(cve.id)
      name = id
      return fromNvd2(cve, id)
    }
    const id = toId(toFields(cve.CVE_data_meta, 'CVE_data_meta').ID)
    name = id
    return fromNvd1(fields, id)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    throw new ServiceError(error.code, `Cannot read ${name}: ${error.message}`)
  }
}

function toId(value: unknown): string {
  if (typeof value !== 'string' || !isCveId(value)) throw wrongField('id', 'a CVE id')
  return value
}
