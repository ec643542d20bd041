import type { Parameter, ServerVariable } from '../catalogue/records.ts'
import { type BodyKind, toBodyKind } from './body-kind.ts'
import { type Field, gatherFields } from './fields.ts'
import type { PlannedEndpoint } from './plan.ts'
import { compileServers } from './servers.ts'

/** One value that a call of an endpoint takes. */
export interface CallField extends Pick<Field, 'key' | 'name' | 'placement' | 'isSecret'> {
  /** Needed; of a field of the body, where there is one. */
  readonly isRequired: boolean
  /** Why no value can be given; undefined when one can. */
  readonly refusal: string | undefined
  /** Undefined for what only a security scheme or a server names. */
  readonly parameter: Parameter | undefined
  /** Of a part of the server's address. */
  readonly variable: ServerVariable | undefined
}

/** What calls of an endpoint are made of. */
export interface CallShape {
  readonly fields: readonly CallField[]
  /** Undefined when there is none. */
  readonly body: Pick<BodyKind, 'mediaType' | 'isRequired' | 'isFlattened'> | undefined
}

/** Describes what calls of an endpoint take, under the names by which values are given. */
export function describeCall(endpoint: PlannedEndpoint): CallShape {
  const kind = toBodyKind(endpoint)
  const { variables } = compileServers(endpoint.servers)
  const { list } = gatherFields({ endpoint, kind, variables })
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
