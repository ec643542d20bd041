import type { Endpoint, Parameter } from '../catalogue/records.ts'
import type { KeyParameterFact } from './records.ts'

/**
 * Names of parameters that are certainly an API key; the keyword is at the end, as in
 * `X-ListenAPI-Key`.
 */
const CERTAIN_KEY_NAME =
  /(?:^|[-_.])(?:api|app|application|access|auth|developer|subscription|consumer|client)[-_.]?(?:key|token|secret)$|api[-_.]?key$|^(?:proxy-)?authorization$|^(?:x[-_])?(?:jwt|bearer)$/i

/** Names that may denote a key or something else: the description decides. */
const LIKELY_KEY_NAME =
  /^(?:x[-_])?(?:key|token|app[-_]?id|api[-_]?id|user[-_]?key|auth)$|api[-_]id$/i

const KEY_DESCRIPTION =
  /\b(?:api|access|app|application|auth|developer|registered|personal|your|account)[ -](?:key|token|id)\b|\bauthenticat/i

/** Longer names and later parts of the description are ignored. */
const MAX_PARAMETER_NAME = 60
const MAX_DESCRIPTION = 300

/**
 * Finds the parameter of an endpoint that is clearly an API key, although the description declares
 * no security requirement for it. Returns undefined if there is none.
 */
export function findKeyParameter(
  parameters: Endpoint['parameters'],
): Omit<KeyParameterFact, 'endpoint'> | undefined {
  const found = parameters.find(isKeyParameter)
  if (!found) return
  const { name, placement, isRequired } = found
  return { name, placement, isRequired }
}

function isKeyParameter({ name, placement, description }: Parameter): boolean {
  // A path parameter names a resource, and a body parameter is payload.
  if (placement === 'path' || placement === 'body' || name.length > MAX_PARAMETER_NAME) return false
  return (
    CERTAIN_KEY_NAME.test(name) ||
    (LIKELY_KEY_NAME.test(name) && KEY_DESCRIPTION.test(description.slice(0, MAX_DESCRIPTION)))
  )
}
