import { decodeUtf8 } from '../../../core/http/body.ts'
import { PROBLEM_TYPES } from '../../../core/http/problems.ts'
import { ServiceError } from '../../../core/index.ts'
import { fromPrintedScan, type SubmittableScan } from '../../../core/scans/printed-scans.ts'
import { html } from '../../../core/shared/html.ts'
import type { PageResult, ViewedRequest } from '../page.ts'
import { errorSummary, field, postForm } from '../parts/form.ts'
import { copyableText } from '../parts/text.ts'
import { SCANS_PATH, toScanPath } from './paths.ts'

/** Explains how to submit scans, with a form for a file. */
export function renderSubmit(request: ViewedRequest): PageResult {
  return renderSubmitPage(request)
}

/** Stores a scan from a file. */
export async function handleSubmit(request: ViewedRequest): Promise<PageResult> {
  const file = request.form.file('scan')
  try {
    if (!file) throw new ServiceError('invalid_input', 'Choose a file')
    const names = {
      project: request.form.text('project_name').trim(),
      network: request.form.text('network_name').trim(),
    }
    const name = await storeScan(request, await readUpload(file.bytes, names))
    return { kind: 'redirect', to: `${toScanPath(name)}?done=submitted` }
  } catch (error) {
    if (!(error instanceof ServiceError) || PROBLEM_TYPES[error.code].status >= 500) throw error
    const { message, issues, code } = error
    const error_ = issues.length === 0 ? message : formatIssues(issues)
    return renderSubmitPage(request, { status: PROBLEM_TYPES[code].status, error: error_ })
  }
}

async function storeScan(request: ViewedRequest, { kind, head, rows }: SubmittableScan) {
  // The operation validates them.
  const sent = { head, rows } as never
  if (kind === 'project') {
    const { project_id } = await request.call('submitProjectScan', sent)
    return { kind, id: project_id }
  }
  const { instance_id } = await request.call('submitNetworkScan', sent)
  return { kind, id: instance_id }
}

const MAX_ISSUES = 5

function formatIssues(issues: ServiceError['issues']): string {
  const words = issues.slice(0, MAX_ISSUES).map(({ name, message }) => `${name} ${message}`)
  return `${words.join('; ')}${issues.length > MAX_ISSUES ? `; and ${issues.length - MAX_ISSUES} more` : ''}`
}

function renderSubmitPage(
  request: ViewedRequest,
  failure?: { readonly status: number; readonly error: string },
): PageResult {
  const { apiUrl, command } = request
  const body = html`<p class="crumbs"><a href="${SCANS_PATH}">Scans</a></p>
<h1>Submit a scan</h1>
${failure ? errorSummary([{ message: failure.error, fieldId: 'field-scan' }]) : ''}
<p class="lead">The scanner runs next to your code or traffic and sends only its findings.</p>
<h2>From a project</h2>
<p>In the folder of the project, with a key that has the scope <code>ingest</code>:</p>
${copyableText({ id: 'project', text: `export API_DISCOVERY_KEY=…\n${command} scan project . --submit ${apiUrl}` })}
<h2>In CI</h2>
<p>Fails the build if the project uses an API that is not approved, and writes the findings for code scanning:</p>
${copyableText({ id: 'ci', text: toCiRecipe(apiUrl) })}
<h2>From a network</h2>
<p>From captures and logs, or live in batches:</p>
${copyableText({ id: 'network', text: `${command} scan network capture.pcap --submit ${apiUrl}` })}
<h2>From a file</h2>
<p>Upload the output of <code>${command} scan project . --json --output scan.json</code> or <code>scan network … --json</code>. You can also upload a body of <code>POST /scanned/projects</code> or <code>POST /networks/user_scans/</code>: one JSON object, or NDJSON with the head in the first line.</p>
${
  request.viewer.caller.scopes.has('ingest')
    ? postForm({
        action: `${SCANS_PATH}/submit`,
        formToken: request.formToken,
        hasFiles: true,
        content: html`${field({
          name: 'scan',
          label: 'Scan',
          type: 'file',
          isRequired: true,
          error: failure?.error,
          hint: 'JSON or NDJSON, at most 32 MiB. For larger files, use the commands above.',
          more: html`accept=".json,.ndjson,.jsonl,application/json,application/x-ndjson"`,
        })}
${field({ name: 'project_name', label: 'Project', value: request.form.text('project_name'), hint: 'Only for files without a project name.', more: html`maxlength="200"` })}
${field({ name: 'network_name', label: 'Network', value: request.form.text('network_name'), hint: 'Only for captures without a network name.', more: html`maxlength="200"` })}
<button>Submit</button>`,
      })
    : html`<p class="soft">To submit, you need the scope <code>ingest</code>.</p>`
}`
  return { kind: 'page', title: 'Submit a scan', body, ...(failure && { status: failure.status }) }
}

function toCiRecipe(apiUrl: string): string {
  return `api-discovery scan project . \\
  --submit ${apiUrl} \\
  --fail-on unapproved \\
  --sarif --output api-discovery.sarif`
}

/**
 * Reads a scan from a file: a JSON object with its rows, NDJSON with the head in the first line, or
 * output of `scan project --json` or `scan network --json`. Uses `names` if the file has none.
 * Throws `invalid_input` for anything else. Head and rows are validated by the service.
 */
async function readUpload(
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
