import { ServiceError } from '../../errors.ts'

/** Parses the JSON of an earlier scan. Throws as `readStoredUsages` does. */
export function parseScanJson(source: string): unknown {
  try {
    return JSON.parse(source)
  } catch {
    if (source.trimStart().startsWith('<')) {
      throw toInvalidScan('it is XML; a bill of materials must be JSON, as "bom convert" makes it')
    }
    throw toInvalidScan('it is not valid JSON')
  }
}

/** Creates the error for a document that is no earlier scan. */
export function toInvalidScan(reason: string): ServiceError {
  return new ServiceError('invalid_input', `Cannot read the former scan: ${reason}`)
}
