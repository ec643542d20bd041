import { type Command, InvalidArgumentError } from 'commander'
import { createPinnedEgress, type PinnedEgress, type PinnedEgressOptions } from '../egress/index.ts'
import { UsageError } from './errors.ts'
import type { Io } from './io.ts'
import { toInteger } from './numbers.ts'

/** What may be called besides the public internet, and the limits of a call. */
export interface EgressOptions {
  readonly egressAllow?: readonly string[] | undefined
  readonly callTimeoutSeconds?: number | undefined
  readonly callBytesPerSecond?: number | undefined
}

/** Adds the options of the way out. */
export function addEgressOptions(command: Command): Command {
  return command
    .option(
      '--egress-allow <list>',
      'addresses, ranges and names that may be called although they are not public, comma-separated: 127.0.0.1:9001,10.1.0.0/16,api.internal:8443 (API_DISCOVERY_EGRESS_ALLOW)',
      parseList,
    )
    .option(
      '--call-timeout-seconds <n>',
      "how long a call may take, its caller's reading included (30)",
      toInteger(1, 86_400),
    )
    .option(
      '--call-bytes-per-second <n>',
      'slower answers are broken off after ten seconds; 0 for none (1024)',
      toInteger(0, 1e9),
    )
}

/** What the option, else the environment allows. */
export function findEgressAllow(io: Io, options: EgressOptions): readonly string[] {
  return options.egressAllow ?? toList(io.environment.API_DISCOVERY_EGRESS_ALLOW ?? '')
}

/**
 * Opens the way out as the options and the environment say. Throws a `UsageError` that names an
 * entry it cannot read.
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
