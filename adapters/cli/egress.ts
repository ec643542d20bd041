import { InvalidArgumentError } from 'commander'
import { createPinnedEgress, type PinnedEgress, type PinnedEgressOptions } from '../egress/index.ts'
import { UsageError } from './errors.ts'
import type { Io } from './io.ts'

/** An option that says what may be called besides the public internet. */
export interface EgressOptions {
  readonly egressAllow?: readonly string[] | undefined
}

/** For commander: flags, description, parser. */
export const EGRESS_ALLOW_OPTION = [
  '--egress-allow <list>',
  'addresses, ranges and names that may be called although they are not public, comma-separated: 127.0.0.1:9001,10.1.0.0/16,api.internal:8443 (API_DISCOVERY_EGRESS_ALLOW)',
  parseList,
] as const

/** What the option, else the environment allows. */
export function findEgressAllow(io: Io, options: EgressOptions): readonly string[] {
  return options.egressAllow ?? toList(io.environment.API_DISCOVERY_EGRESS_ALLOW ?? '')
}

/** Opens the way out. Throws a `UsageError` that names an entry it cannot read. */
export function openEgress(
  allow: readonly string[],
  more: Pick<PinnedEgressOptions, 'ownAddresses'> = {},
): PinnedEgress {
  try {
    return createPinnedEgress({ allow, ...more })
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new UsageError(`Cannot use --egress-allow: ${error.message}`)
  }
}

/** An empty text allows nothing, whatever the environment says; commas alone are a mistake. */
function parseList(text: string): readonly string[] {
  const list = toList(text)
  if (list.length > 0 || text.trim() === '') return list
  throw new InvalidArgumentError('It must name an address, a range or a name.')
}

function toList(text: string): readonly string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}
