import { InvalidArgumentError } from 'commander'
import { createPinnedEgress, type PinnedEgress, type PinnedEgressOptions } from '../egress/index.ts'
import type { OptionValues } from './command-values.ts'
import { UsageError } from './errors.ts'
import type { Io } from './io.ts'
import { integerParser } from './numbers.ts'

/** Options of commands that call other servers. */
export const EGRESS_OPTIONS = [
  [
    '--egress-allow <list>',
    'non-public addresses, ranges and host names that may be called, comma-separated: 127.0.0.1:9001,10.1.0.0/16,api.internal:8443 (default: API_DISCOVERY_EGRESS_ALLOW)',
    { parse: parseAllowList },
  ],
  [
    '--call-timeout-seconds <n>',
    'maximum duration of a call, including reading the response (default: 30)',
    { parse: integerParser(1, 86_400) },
  ],
  [
    '--call-bytes-per-second <n>',
    'abort slower responses after ten seconds; 0 disables this limit (default: 1024)',
    { parse: integerParser(0, 1e9) },
  ],
] as const

/** Allowed non-public addresses, and limits of a call. */
export type EgressOptions = OptionValues<typeof EGRESS_OPTIONS>

/** Returns the allow list of the option, else of the environment. */
export function findEgressAllow(io: Io, options: EgressOptions): readonly string[] {
  return options.egressAllow ?? splitCommaList(io.environment.API_DISCOVERY_EGRESS_ALLOW ?? '')
}

/**
 * Creates the egress from options and environment. Throws a `UsageError` that names the first
 * invalid entry of the allow list.
 */
export function openEgress(
  io: Io,
  options: EgressOptions & Pick<PinnedEgressOptions, 'ownAddresses'>,
): PinnedEgress {
  const { callTimeoutSeconds: seconds, callBytesPerSecond: rate, ownAddresses } = options
  const limits = {
    ...(seconds === undefined ? {} : { totalMs: seconds * 1000 }),
    ...(rate === undefined ? {} : { minBytesPerSecond: rate }),
  }
  try {
    return createPinnedEgress({ allow: findEgressAllow(io, options), ownAddresses, limits })
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new UsageError(`Cannot use --egress-allow: ${error.message}`)
  }
}

/** An empty string overrides the environment and allows nothing; commas alone are an error. */
function parseAllowList(text: string): readonly string[] {
  const list = splitCommaList(text)
  if (list.length > 0 || text.trim() === '') return list
  throw new InvalidArgumentError('It must contain an address, a range or a host name.')
}

/** Splits a comma-separated list, without empty items. */
export function splitCommaList(text: string): readonly string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}
