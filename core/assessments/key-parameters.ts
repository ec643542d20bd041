import type { Endpoint, Parameter } from '../catalogue/records.ts'
import type { KeyParameterFact } from './records.ts'

/** What a parameter is called that takes a key: the words of a key at the end, as in `X-ListenAPI-Key`. */
const CERTAIN =
  /(?:^|[-_.])(?:api|app|application|access|auth|developer|subscription|consumer|client)[-_.]?(?:key|token|secret)$|api[-_.]?key$|^(?:proxy-)?authorization$|^(?:x[-_])?(?:jwt|bearer)$/i

/** May be a key or anything else: what is said of it decides. */
const LIKELY = /^(?:x[-_])?(?:key|token|app[-_]?id|api[-_]?id|user[-_]?key|auth)$|api[-_]id$/i

const SAID =
  /\b(?:api|access|app|application|auth|developer|registered|personal|your|account)[ -](?:key|token|id)\b|\bauthenticat/i

/** Longer names and what is said later are not looked at. */
const MAX_NAME = 60
const MAX_SAID = 300

/**
 * The parameter of an endpoint that plainly takes a key, though the description has no security
 * requirement for it; undefined where none does.
 */
export function findKeyParameter(
  parameters: Endpoint['parameters'],
): Omit<KeyParameterFact, 'endpoint'> | undefined {
  const found = parameters.find(isKey)
  if (!found) return
  const { name, placement, isRequired } = found
  return { name, placement, isRequired }
}

function isKey({ name, placement, description }: Parameter): boolean {
  // A part of a path names a thing, one of a JSON body belongs to what is sent.
  if (placement === 'path' || placement === 'body' || name.length > MAX_NAME) return false
  return CERTAIN.test(name) || (LIKELY.test(name) && SAID.test(description.slice(0, MAX_SAID)))
}
