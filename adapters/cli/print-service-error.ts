import type { DescribedParameter } from '../../core/gateway/index.ts'
import type { ServiceError } from '../../core/index.ts'
import { type Io, toPrintable } from './io.ts'
import { formatParameters } from './parameter-table.ts'

/**
 * Prints why the service rejected a request: its message, and issues that the message does not
 * contain. If a resource is not found, also prints the command that lists those that exist, and for
 * invalid values of a call the parameters of the endpoint.
 */
export function printServiceError(io: Io, { message, issues, extra }: ServiceError): void {
  io.note(message)
  const [, resource = ''] = NOT_FOUND_PATTERN.exec(message) ?? []
  const lister = LISTING_COMMANDS.get(resource)
  if (lister !== undefined) io.note(`List what exists: api-discovery ${lister}`)
  for (const issue of issues) {
    if (message.includes(issue.message)) continue
    io.note(`  ${toPrintable(`${issue.name} ${issue.message}`)}`)
  }
  const parameters = extra.parameters as readonly DescribedParameter[] | undefined
  if (parameters) io.note(formatParameters(parameters))
}

/** Matches messages that name a missing resource, and no next step. */
const NOT_FOUND_PATTERN = /^([A-Z][A-Za-z ]*?)(?: ".*"| \S+)? not found$/

const LISTING_COMMANDS: ReadonlyMap<string, string> = new Map([
  ['API', 'search WORDS'],
  ['API key', 'keys list'],
  ['Account', 'accounts list'],
  ['Credential', 'gateway credentials list --account NAME'],
  ['Endpoint', 'search WORDS'],
  ['Job', 'jobs list'],
  ['Policy', 'gateway policies list --account NAME'],
  ['Recording', 'gateway recordings list --account NAME'],
  ['User', 'users list'],
])
