import type { OutgoingCall } from '../../../core/calls/call.ts'
import { createCallPlan, type PlannedEndpoint } from '../../../core/calls/call-plan.ts'
import type { Parameter, RequestBody, Server } from '../../../core/catalogue/records.ts'
import { ServiceError } from '../../../core/errors.ts'
import { toParameter } from '../../helpers/parameters.ts'

export function toServer(url: string, variables: Server['variables'] = []): Server {
  return { url, name: '', variables }
}

export function createRequestBody(mediaType: string, more: Partial<RequestBody> = {}): RequestBody {
  return {
    mediaTypes: [mediaType],
    isRequired: false,
    isFlattened: true,
    allowsAdditional: false,
    ...more,
  }
}

/** An endpoint of `https://api.example.com/v1`. */
export function toPlan(
  given: Omit<Partial<PlannedEndpoint>, 'parameters'> & {
    readonly parameters?: readonly (Partial<Parameter> & Pick<Parameter, 'name' | 'placement'>)[]
  },
) {
  return createCallPlan({
    method: 'get',
    path: '/things',
    servers: [toServer('https://api.example.com/v1')],
    body: undefined,
    security: [],
    response: undefined,
    ...given,
    parameters: (given.parameters ?? []).map(toParameter),
  })
}

/** Returns the part of a `toPlan` URL after the server. */
export function toLine({ url }: OutgoingCall): string {
  return url.replace('https://api.example.com/v1', '')
}

export function decodeBody({ body }: OutgoingCall): string | undefined {
  return body && new TextDecoder().decode(body)
}

/** The issues of a refused call by name. */
export function issuesOf(run: () => unknown): Record<string, string> {
  const { issues } = errorOf(run)
  return Object.fromEntries(issues.map(({ name, message }) => [name, message]))
}

export function errorOf(run: () => unknown): ServiceError {
  try {
    run()
  } catch (error) {
    if (error instanceof ServiceError) return error
    throw error
  }
  throw new Error('Nothing was refused')
}
