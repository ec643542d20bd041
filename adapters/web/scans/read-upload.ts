import { decodeUtf8 } from '../../../core/http/body.ts'
import { fromPrintedScan, ServiceError, type SubmittableScan } from '../../../core/index.ts'

/**
 * Reads a scan from a file: a JSON object with its rows, NDJSON with the head in the first line, or
 * output of `scan project --json` or `scan network --json`. Uses `names` if the file has none.
 * Throws `invalid_input` for anything else. Head and rows are validated by the service.
 */
export async function readUpload(
  bytes: Uint8Array,
  names: { readonly project: string; readonly network: string },
): Promise<SubmittableScan> {
  const text = decodeUtf8(bytes)
    .replace(/^\ufeff/, '')
    .trim()
  if (text === '') throw createInvalidFileError('The file is empty')
  const whole = parseJsonObject(text)
  if (whole !== undefined) {
    const printed = await fromPrintedScan(whole)
    return printed ? addNames(printed, names) : fromScanDocument(whole)
  }
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const values = lines.map((line, index) => {
    const value = parseJsonObject(line)
    if (value === undefined) throw createInvalidFileError(`Line ${index + 1} is not a JSON object`)
    return value
  })
  const [head = {}, ...rows] = values
  return { kind: detectScanKind(head), head, rows }
}

/** Output of earlier releases lacks the names. */
function addNames(
  scan: SubmittableScan,
  { project, network }: { readonly project: string; readonly network: string },
): SubmittableScan {
  const { kind, head } = scan
  const named = {
    ...head,
    ...(project !== '' && !head.project_name ? { project_name: project } : {}),
    ...(kind === 'network' && network !== '' && !head.network_name
      ? { network_name: network }
      : {}),
  }
  const needed = kind === 'project' ? ['project_name'] : ['project_name', 'network_name']
  const missing = needed.filter((name) => !(name in named))
  if (missing.length === 0) return { ...scan, head: named }
  throw createInvalidFileError(`The file has no ${missing.join(' and no ')}. Enter it below`)
}

type Members = Readonly<Record<string, unknown>>

function parseJsonObject(text: string): Members | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Members)
      : undefined
  } catch {
    return undefined
  }
}

function fromScanDocument(document: Members): SubmittableScan {
  const kind = detectScanKind(document)
  const at = kind === 'project' ? 'scan_details' : 'flows'
  const { [at]: rows = [], ...head } = document
  if (!Array.isArray(rows)) throw createInvalidFileError(`${at} must be an array`)
  return { kind, head, rows }
}

function detectScanKind(head: Members): SubmittableScan['kind'] {
  if (['network_name', 'instance_id', 'flows'].some((name) => name in head)) return 'network'
  if ('project_name' in head) return 'project'
  throw createInvalidFileError(
    'Unknown scan format: expected the output of "scan project --json" or "scan network --json", or a JSON object with project_name or network_name',
  )
}

function createInvalidFileError(message: string): ServiceError {
  return new ServiceError('invalid_input', message)
}
