import type { Parameter, ServerVariable } from '../catalogue/records.ts'
import { type BodyKind, toBodyKind } from './body-kind.ts'
import type { PlannedEndpoint } from './call-plan.ts'
import { collectFields, type Field } from './fields.ts'
import { compileServers } from './servers.ts'

/** An input of a call. */
export interface CallField extends Pick<Field, 'key' | 'name' | 'placement' | 'isSecret'> {
  /** For a body field: required if there is a body. */
  readonly isRequired: boolean
  /** Why the field does not accept a value; undefined if it does. */
  readonly refusal: string | undefined
  /** Undefined for an input that comes from a security scheme or a server. */
  readonly parameter: Parameter | undefined
  /** The server variable, if the field is one. */
  readonly variable: ServerVariable | undefined
}

/** The inputs of an endpoint's calls. */
export interface CallShape {
  readonly fields: readonly CallField[]
  /** Undefined if the endpoint has no body. */
  readonly body: Pick<BodyKind, 'mediaType' | 'isRequired' | 'isFlattened'> | undefined
}

/** Describes the inputs of an endpoint's calls, with the names that callers use. */
export function describeCall(endpoint: PlannedEndpoint): CallShape {
  const kind = toBodyKind(endpoint)
  const { variables } = compileServers(endpoint.servers)
  const { list } = collectFields({ endpoint, kind, variables })
  const fields = list.map(
    ({ key, name, placement, isSecret, isRequired, refusal, parameter }): CallField => ({
      key,
      name,
      placement,
      isSecret,
      isRequired,
      refusal,
      parameter,
      variable:
        placement === 'server' ? variables.find((variable) => variable.name === name) : undefined,
    }),
  )
  return { fields, body: kind }
}
