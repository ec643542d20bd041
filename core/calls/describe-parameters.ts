import type { ValueRange } from '../catalogue/records.ts'
import { toBodyKind } from './body-kind.ts'
import type { PlannedEndpoint } from './call-plan.ts'
import { collectFields, type Field } from './fields.ts'
import type { ValueRule } from './rules.ts'
import { compileServers } from './servers.ts'

/** A parameter of an endpoint's calls, with all constraints of its value. */
export interface DescribedParameter extends DescribedValue, ValueRange {
  /** Name for callers: the plain name, or `placement.name` if the name is ambiguous. */
  readonly name: string
  /** `server` for a variable of the server URL. */
  readonly placement: Field['placement']
  readonly is_required: boolean
  /** Only for arrays whose items are described. */
  readonly items?: DescribedValue
  /** JSON text for structured values. */
  readonly default?: string
}

interface DescribedValue {
  /** JSON Schema types, separated by ` | `; `any` if every type is accepted. */
  readonly type: string
  /** Allowed values; absent if every value is allowed. */
  readonly enum?: readonly string[]
}

/**
 * Describes the parameters of an endpoint's calls, as errors of the gateway list them.
 *
 * @example
 * ```ts
 * import { describeParameters } from 'api-discovery/gateway'
 *
 * const endpoint = await storage.catalogue.findEndpoint('qjTj4fG')
 * for (const { name, type } of endpoint ? describeParameters(endpoint) : []) console.log(name, type)
 * ```
 */
export function describeParameters(endpoint: PlannedEndpoint): readonly DescribedParameter[] {
  const { variables } = compileServers(endpoint.servers)
  const { list } = collectFields({ endpoint, kind: toBodyKind(endpoint), variables })
  return list.map(describeField)
}

/** Describes one input of a call (contract 4.1). */
export function describeField({
  key,
  placement,
  isRequired,
  rule,
  parameter,
}: Field): DescribedParameter {
  const { items } = rule
  return {
    name: key,
    placement,
    is_required: isRequired,
    ...describeRule(rule),
    ...rule.range,
    ...(items && (items.types.length > 0 || items.allowed) ? { items: describeRule(items) } : {}),
    ...(parameter?.defaultValue === undefined ? {} : { default: parameter.defaultValue }),
  }
}

function describeRule({ types, allowed }: ValueRule): DescribedValue {
  const listed = allowed && { enum: [...new Set([...allowed].map((text) => text.trim()))] }
  return { type: types.join(' | ') || 'any', ...listed }
}
