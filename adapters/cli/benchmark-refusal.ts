import { ServiceError } from '../../core/index.ts'
import { CommandError } from './errors.ts'

/** Parameters of rate-limit tests, and what the command line calls them. */
const OPTIONS: Readonly<Record<string, string>> = {
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
 * Throws what a start or a question for consent was refused with, in the words of the command line:
 * parameters by their options, and for a host or an address that is not open what opens it. `hosts`
 * are those that are named as open to tests.
 */
export function tellTestRefusal(error: unknown, hosts: readonly string[] = []): never {
  if (!(error instanceof ServiceError)) throw error
  if (error.code === 'consent_missing') throw adviseStarter(error)
  if (error.code === 'address_refused') {
    throw new CommandError(
      [error.message, ADVICE_FOR_ADDRESSES, ...adviseConsent(error, hosts)].join('\n'),
    )
  }
  if (error.code === 'options_differ') throw new CommandError(nameDiffering(error))
  if (error.code !== 'invalid_input') throw error
  let { message } = error
  const issues = error.issues.map((issue) => {
    const named = {
      ...issue,
      name: toOption(issue.name),
      message: toOptionText(issue.name, issue.message),
    }
    message = message.replace(
      `${issue.name} ${issue.message}`,
      () => `${named.name} ${named.message}`,
    )
    return named
  })
  throw new ServiceError(error.code, message, { issues, extra: error.extra })
}

/** A host that is not named yet needs its consent too: both at once, not one after the other. */
function adviseConsent({ message }: ServiceError, hosts: readonly string[]): readonly string[] {
  const [, host] = /^Cannot call ([^\s/]+): /.exec(message) ?? []
  if (host === undefined || hosts.includes(host)) return []
  return [
    `The test needs the host's consent as well: --egress-allow ${host} --test-host ${host}, or "benchmark consent".`,
  ]
}

const ADVICE_FOR_ADDRESSES =
  'Addresses that are not public are called where --egress-allow names them, here and where the test is done.'

/** What can be done on the command line about a host that has not consented. */
function adviseStarter({ message, extra }: ServiceError): CommandError {
  const { host, operator, token_url: url, token } = extra
  const end = message.indexOf(`. ${operator}`)
  const why = end === -1 ? message : message.slice(0, end + 1)
  const advice = `Either --test-host ${host} names it, here and where the test is done (serve --test-host ${host}),\nor ${url} answers this line:\n${token}`
  return new CommandError(`${why}\n${advice}`)
}

function nameDiffering({ extra }: ServiceError): string {
  const names = (Array.isArray(extra.options) ? extra.options : []).map(String)
  return `Cannot start another test: run ${extra.run} of this endpoint is ${extra.state}, and was started with other ${names.map(toOption).join(', ')}`
}

/** `--confirm-unsafe`, and of a value `--value city`. */
function toOption(name: string): string {
  const [parameter = '', ...path] = name.split('.')
  const option = Object.hasOwn(OPTIONS, parameter) ? OPTIONS[parameter] : undefined
  if (option === undefined) return name
  return path.length === 0 ? option : `${option} ${path.join('.')}`
}

function toOptionText(name: string, message: string): string {
  if (name === 'confirm_unsafe') return message.replace('must be true', 'must be given')
  if (name === 'payload_bytes') {
    return message.replace(/\d+ bytes/, (bytes) =>
      String(Math.ceil(Number.parseInt(bytes, 10) / 1024)),
    )
  }
  return message.replace('use_credentials', '--use-credentials')
}
