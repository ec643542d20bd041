import { decodeUtf8 } from '../../../core/http/body.ts'
import { ServiceError } from '../../../core/index.ts'

/** A scan as it stands in a file. */
export interface UploadedScan {
  readonly kind: 'project' | 'network'
  readonly head: Readonly<Record<string, unknown>>
  readonly rows: readonly unknown[]
}

/**
 * Reads a scan from a file: one JSON object with its rows, or NDJSON with the head in its first
 * line. Throws `invalid_input` for anything else; what stands in head and rows is for the service
 * to judge.
 */
export function readUpload(bytes: Uint8Array): UploadedScan {
  const text = decodeUtf8(bytes)
    .replace(/^\ufeff/, '')
    .trim()
  if (text === '') throw refuse('The file is empty')
  const whole = parse(text)
  if (whole !== undefined) return fromDocument(whole)
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const values = lines.map((line, index) => {
    const value = parse(line)
    if (value === undefined) throw refuse(`Line ${index + 1} is no JSON object`)
    return value
  })
  const [head = {}, ...rows] = values
  return { kind: toKind(head), head, rows }
}

type Members = Readonly<Record<string, unknown>>

function parse(text: string): Members | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Members)
      : undefined
  } catch {
    return undefined
  }
}

function fromDocument(document: Members): UploadedScan {
  const kind = toKind(document)
  const at = kind === 'project' ? 'scan_details' : 'flows'
  const { [at]: rows = [], ...head } = document
  if (!Array.isArray(rows)) throw refuse(`${at} must be an array`)
  return { kind, head, rows }
}

function toKind(head: Members): UploadedScan['kind'] {
  if (['network_name', 'instance_id', 'flows'].some((name) => name in head)) return 'network'
  if ('project_name' in head) return 'project'
  throw refuse('The file is no scan: it has neither project_name nor network_name')
}

function refuse(message: string): ServiceError {
  return new ServiceError('invalid_input', message)
}
