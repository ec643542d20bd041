import { ServiceError } from '../../core/index.ts'
import { CommandError } from './errors.ts'

/** Command-line options by parameter of rate-limit tests. */
const OPTIONS_BY_PARAMETER: Readonly<Record<string, string>> = {
  endpoint_id: '<endpoint-id>',
  requests: '--requests',
  rate: '--rate',
  payload_bytes: '--payload-kb',
  values: '--value',
  server: '--server',
  use_credentials: '--use-credentials',
  confirm_unsafe: '--confirm-unsafe',
  run: '--run',
}

/**
 * Rethrows an error from starting a test or checking consent, with options in place of parameters.
 * If consent is missing or an address is blocked, the message names the options to add.
 * `hosts` are the hosts that the operator already allows.
 */
export function rethrowWithOptions(error: unknown, hosts: readonly string[] = []): never {
  if (!(error instanceof ServiceError)) throw error
  if (error.code === 'consent_missing') throw createConsentError(error)
  if (error.code === 'address_refused') {
    throw new CommandError(
      [error.message, BLOCKED_ADDRESS_ADVICE, ...adviseConsent(error, hosts)].join('\n'),
    )
  }
  if (error.code === 'options_differ') throw new CommandError(describeDifferingOptions(error))
  if (error.code !== 'invalid_input') throw error
  let { message } = error
  const issues = error.issues.map((issue) => {
    const named = {
      ...issue,
      name: toTestOption(issue.name),
      message: replaceParameterNames(issue.name, issue.message),
    }
    message = message.replace(
      `${issue.name} ${issue.message}`,
      () => `${named.name} ${named.message}`,
    )
    return named
  })
  throw new ServiceError(error.code, message, { issues, extra: error.extra })
}

/**
 * Mentions missing consent together with a blocked address, so that the user can fix both at once.
 */
function adviseConsent({ message }: ServiceError, hosts: readonly string[]): readonly string[] {
  const [, host] = /^Cannot call ([^\s/]+): /.exec(message) ?? []
  if (host === undefined || hosts.includes(host)) return []
  return [
    `The test needs the host's consent as well: --egress-allow ${host} --test-host ${host}, or "benchmark consent".`,
  ]
}

const BLOCKED_ADDRESS_ADVICE = 'Pass --egress-allow both here and where the test runs.'

/** Explains how a host can consent. */
function createConsentError({ message, extra }: ServiceError): CommandError {
  const { host, operator, token_url: url, token } = extra
  const end = message.indexOf(`. ${operator}`)
  const why = end === -1 ? message : message.slice(0, end + 1)
  const advice = `Either pass --test-host ${host} both here and where the test runs (serve --test-host ${host}),\nor serve this line at ${url}:\n${token}`
  return new CommandError(`${why}\n${advice}`)
}

function describeDifferingOptions({ extra }: ServiceError): string {
  const names = (Array.isArray(extra.options) ? extra.options : []).map(String)
  return `Cannot start another test: run ${extra.run} of this endpoint is ${extra.state} and has different values of ${names.map(toTestOption).join(', ')}`
}

/** Converts a parameter to its option, such as `--confirm-unsafe` or `--value city`. */
function toTestOption(name: string): string {
  const [parameter = '', ...path] = name.split('.')
  const option = Object.hasOwn(OPTIONS_BY_PARAMETER, parameter)
    ? OPTIONS_BY_PARAMETER[parameter]
    : undefined
  if (option === undefined) return name
  return path.length === 0 ? option : `${option} ${path.join('.')}`
}

function replaceParameterNames(name: string, message: string): string {
  if (name === 'confirm_unsafe') return message.replace('must be true', 'is required')
  if (name === 'payload_bytes') {
    return message.replace(/\d+ bytes/, (bytes) =>
      String(Math.ceil(Number.parseInt(bytes, 10) / 1024)),
    )
  }
  return message.replace('use_credentials', '--use-credentials')
}
