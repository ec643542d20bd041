import type { DescribedParameter } from '../../core/gateway/index.ts'
import type { ServiceError } from '../../core/index.ts'
import { type Io, toPrintable } from './io.ts'
import { formatParameters } from './parameter-table.ts'

/**
 * Prints why the service rejected a request: its message, and issues that the message does not
 * contain. For invalid values of a call, also prints the parameters of the endpoint.
 */
export function printServiceError(io: Io, { message, issues, extra }: ServiceError): void {
  io.note(message)
  for (const issue of issues) {
    if (message.includes(issue.message)) continue
    io.note(`  ${toPrintable(`${issue.name} ${issue.message}`)}`)
  }
  const parameters = extra.parameters as readonly DescribedParameter[] | undefined
  if (parameters) io.note(formatParameters(parameters))
}
