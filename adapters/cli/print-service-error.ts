import type { ServiceError } from '../../core/index.ts'
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
  const parameters = extra.parameters as readonly EndpointParameter[] | undefined
  if (!parameters) return
  if (parameters.length === 0) {
    io.note('The endpoint has no parameters.')
    return
  }
  io.note(
    formatTable(
      ['NAME', 'IN', 'REQUIRED', 'TYPE', 'VALUES', 'DEFAULT'],
      parameters.map((taken) => [
        taken.name,
        taken.placement,
        taken.is_required ? 'yes' : 'no',
        taken.type,
        truncate((taken.enum ?? []).join(' '), 60) || '-',
        taken.default === undefined ? '-' : truncate(JSON.stringify(taken.default), 40),
      ]),
    ),
  )
}

/** An entry of the problem member `parameters`. */
interface EndpointParameter {
  readonly name: string
  readonly placement: string
  readonly is_required: boolean
  readonly type: string
  readonly enum?: readonly string[]
  readonly default?: unknown
}
