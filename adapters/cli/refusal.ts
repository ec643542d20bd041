import type { ServiceError } from '../../core/index.ts'
import { type Io, shorten, toPrintable, toTable } from './io.ts'

/**
 * Tells why the service refused: its message, the issues that do not stand in it, and for the values
 * of a call what the endpoint takes.
 */
export function tellRefusal(io: Io, { message, issues, extra }: ServiceError): void {
  io.note(message)
  for (const issue of issues) {
    if (message.includes(issue.message)) continue
    io.note(`  ${toPrintable(`${issue.name} ${issue.message}`)}`)
  }
  const parameters = extra.parameters as readonly TakenParameter[] | undefined
  if (!parameters) return
  if (parameters.length === 0) {
    io.note('The endpoint takes no values.')
    return
  }
  io.note(
    toTable(
      ['NAME', 'IN', 'NEEDED', 'TYPE', 'ONE OF', 'DEFAULT'],
      parameters.map((taken) => [
        taken.name,
        taken.placement,
        taken.is_required ? 'yes' : 'no',
        taken.type,
        shorten((taken.enum ?? []).join(' '), 60) || '-',
        taken.default === undefined ? '-' : shorten(JSON.stringify(taken.default), 40),
      ]),
    ),
  )
}

/** As the problem document's member `parameters` has it. */
interface TakenParameter {
  readonly name: string
  readonly placement: string
  readonly is_required: boolean
  readonly type: string
  readonly enum?: readonly string[]
  readonly default?: unknown
}
