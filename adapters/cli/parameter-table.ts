import type { DescribedParameter } from '../../core/gateway/index.ts'
import { formatTable, truncate } from './io.ts'

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
