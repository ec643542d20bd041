import type { DescribedParameter, ServiceError } from '../../core/index.ts'
import { formatTable, type Io, toPrintable, truncate } from './io.ts'

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

/** Formats the parameters of an endpoint as a table. */
export function formatParameters(parameters: readonly DescribedParameter[]): string {
  if (parameters.length === 0) return 'The endpoint has no parameters.'
  return formatTable(
    ['NAME', 'IN', 'REQUIRED', 'TYPE', 'VALUES', 'DEFAULT'],
    parameters.map((parameter) => [
      parameter.name,
      parameter.placement,
      parameter.is_required ? 'yes' : 'no',
      parameter.type,
      truncate((parameter.enum ?? []).join(' '), 60) || '-',
      parameter.default === undefined ? '-' : truncate(JSON.stringify(parameter.default), 40),
    ]),
  )
}
