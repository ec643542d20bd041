import type { DescribedTarget } from '../../../core/gateway/index.ts'
import type { ShownCall, TriedCall } from './try-call.ts'

/** A call as code in one language, to be copied. It contains no secret. */
export interface Snippet {
  readonly id: string
  readonly title: string
  readonly text: string
}

/** Environment variable for a key of the service. */
const KEY = 'API_DISCOVERY_KEY'
const SECRET = 'YOUR_SECRET'

/** Creates code examples of a call through the service, with the key in an environment variable. */
export function toServiceSnippets(options: {
  /** `https://apis.example/api` */
  readonly baseUrl: string
  readonly call: TriedCall
  readonly target: Pick<DescribedTarget, 'fields'>
}): readonly Snippet[] {
  const { baseUrl, call, target } = options
  const body = createServiceBody(call, target)
  const query = new URLSearchParams({ endpoint_id: call.endpointId })
  if (call.server) query.set('server', call.server)
  if (call.followRedirects) query.set('follow_redirects', 'true')
  const url = `${baseUrl}/gateway?${query}`
  const json = JSON.stringify(body, undefined, 2)
  const input = [
    `endpoint_id: ${JSON.stringify(call.endpointId)}`,
    ...(call.server ? [`server: ${JSON.stringify(call.server)}`] : []),
    ...(call.followRedirects ? ['follow_redirects: true'] : []),
    `body: ${indentLines(json)}`,
  ]
  return [
    {
      id: 'service-curl',
      title: 'curl',
      text: `curl -X POST ${quoteForShell(url)} \\\n  -H "api-key: $${KEY}" \\\n  -H 'content-type: application/json' \\\n  --data-raw ${quoteForShell(JSON.stringify(body))}`,
    },
    {
      id: 'service-client',
      title: 'TypeScript, with the client library',
      text: `import { createClient } from 'api-discovery/client'

const client = createClient({
  baseUrl: ${JSON.stringify(baseUrl)},
  apiKey: process.env.${KEY} ?? '',
})
const answer = await client.callEndpoint({
  ${input.join(',\n  ')},
})
console.log(answer.status, new TextDecoder().decode(answer.body))`,
    },
    {
      id: 'service-fetch',
      title: 'TypeScript, with fetch',
      text: `const response = await fetch(${JSON.stringify(url)}, {
  method: 'POST',
  headers: { 'api-key': process.env.${KEY} ?? '', 'content-type': 'application/json' },
  body: JSON.stringify(${indentLines(json)}),
})
console.log(response.status, await response.text())`,
    },
    {
      id: 'service-python',
      title: 'Python, with requests',
      text: `import os
import requests

response = requests.post(
    ${JSON.stringify(url)},
    headers={"api-key": os.environ["${KEY}"]},
    json=${toPythonLiteral(body, 1)},
)
print(response.status_code, response.text)`,
    },
  ]
}

/**
 * Creates code examples of a call sent directly to the target, as the service would send it, with
 * masked secrets.
 */
export function toTargetSnippets({ curl, request }: ShownCall): readonly Snippet[] {
  const { method, url, headers, body } = request
  const hasBody = body !== null && body !== ''
  const given = Object.entries(headers)
  return [
    { id: 'target-curl', title: 'curl', text: curl },
    {
      id: 'target-fetch',
      title: 'TypeScript, with fetch',
      text: `${isLong(body) ? "import { readFile } from 'node:fs/promises'\n\n" : ''}const response = await fetch(${JSON.stringify(url)}, {
  method: ${JSON.stringify(method)},
  headers: ${indentLines(JSON.stringify(headers, undefined, 2))},${hasBody ? `\n  body: ${toFetchBody(body)},` : ''}
})
console.log(response.status, await response.text())`,
    },
    {
      id: 'target-python',
      title: 'Python, with requests',
      text: `${isBinary(body) ? 'import base64\n' : ''}import requests

response = requests.request(
    ${JSON.stringify(method)},
    ${JSON.stringify(url)},
    headers=${toPythonLiteral(Object.fromEntries(given), 1)},${hasBody ? `\n    data=${toPythonBody(body)},` : ''}
)
print(response.status_code, response.text)`,
    },
  ]
}

type Body = ShownCall['request']['body']

function isBinary(body: Body): body is { readonly base64: string } {
  return typeof body === 'object' && body !== null && 'base64' in body
}

function isLong(body: Body): body is { readonly bytes: number } {
  return typeof body === 'object' && body !== null && 'bytes' in body
}

function toFetchBody(body: Body): string {
  if (isBinary(body)) return `Buffer.from(${JSON.stringify(body.base64)}, 'base64')`
  return isLong(body) ? "await readFile('body')" : JSON.stringify(body)
}

function toPythonBody(body: Body): string {
  if (isBinary(body)) return `base64.b64decode(${JSON.stringify(body.base64)})`
  return isLong(body) ? 'open("body", "rb")' : `${JSON.stringify(body)}.encode()`
}

/**
 * Returns the values as the body of a call through the service. Secrets and file contents are
 * replaced by placeholders.
 */
function createServiceBody(
  { values }: TriedCall,
  { fields }: Pick<DescribedTarget, 'fields'>,
): Readonly<Record<string, unknown>> {
  const byKey = new Map(fields.map((field) => [field.key, field]))
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => {
      const field = byKey.get(key)
      if (field?.isSecret) return [key, SECRET]
      if (isFile(value)) return [key, { base64: 'BASE64_OF_THE_FILE', filename: value.filename }]
      return [key, maskSecrets(toTypedValue(value, field?.parameter?.type))]
    }),
  )
}

const SECRET_NAME = /password|passwd|secret|token|api[-_]?key|authorization|credential/i

/** Masks the secrets of a call, including body members whose names indicate a secret. */
function maskSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(maskSecrets)
  if (typeof value !== 'object' || value === null || 'toJSON' in value) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      SECRET_NAME.test(name) ? SECRET : maskSecrets(member),
    ]),
  )
}

function isFile(value: unknown): value is { readonly filename: string } {
  return typeof value === 'object' && value !== null && 'bytes' in value && 'filename' in value
}

/** Converts numbers, booleans, objects and arrays if the conversion is lossless. */
function toTypedValue(value: unknown, type: string | undefined): unknown {
  if (typeof value !== 'string') return value
  if (type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true'
  const isNumber = (type === 'integer' || type === 'number') && String(Number(value)) === value
  if (isNumber) return Number(value)
  if ((type === 'object' && value.startsWith('{')) || (type === 'array' && value.startsWith('['))) {
    try {
      const parsed: unknown = JSON.parse(value)
      return JSON.stringify(parsed) === value ? parsed : value
    } catch {
      return value
    }
  }
  return value
}

/** Quotes a word for a POSIX shell: single quotes prevent any expansion. */
function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

function indentLines(text: string): string {
  return text.replaceAll('\n', '\n  ')
}

/** Converts a value to a Python literal. JSON strings and numbers are already valid literals. */
function toPythonLiteral(value: unknown, depth: number): string {
  const pad = '    '.repeat(depth)
  if (value === null || value === undefined) return 'None'
  if (value === true) return 'True'
  if (value === false) return 'False'
  if (Array.isArray(value)) {
    return value.length === 0
      ? '[]'
      : `[\n${value.map((item) => `${pad}    ${toPythonLiteral(item, depth + 1)},\n`).join('')}${pad}]`
  }
  if (typeof value !== 'object' || 'toJSON' in value) return JSON.stringify(value)
  const entries = Object.entries(value)
  if (entries.length === 0) return '{}'
  return `{\n${entries.map(([name, item]) => `${pad}    ${JSON.stringify(name)}: ${toPythonLiteral(item, depth + 1)},\n`).join('')}${pad}}`
}
