import type { OptionValues } from './command-values.ts'
import { EGRESS_OPTIONS } from './egress-options.ts'
import { UsageError } from './errors.ts'
import { readCallValues } from './gateway-values.ts'
import type { Io } from './io.ts'
import { collectValues } from './scan-options.ts'
import type { ServiceOptions } from './service.ts'
import { findTestConsent, TEST_OPTIONS } from './test-options.ts'

/** Options of commands that build the call of a rate-limit test. */
export const TEST_CALL_OPTIONS = [
  ...EGRESS_OPTIONS,
  ...TEST_OPTIONS,
  ['--value <name=text>', 'parameter value, or name:=json; repeatable', { parse: collectValues }],
  ['--server <server>', 'server name, URL template or number, starting at 1'],
] as const

export type TestCallOptions = OptionValues<typeof TEST_CALL_OPTIONS>

/** Returns the options of the service that allow tests of the hosts of the options. */
export function allowTestHosts({
  io,
  options: { testHost: hosts, testContact: contact },
}: {
  readonly io: Io
  readonly options: TestCallOptions
}): NonNullable<ServiceOptions['service']> {
  return { rateLimitTests: findTestConsent(io, { hosts, contact }) }
}

/** Reads the input of operations that build a test call. Throws a `UsageError` for file values. */
export async function readTestCallInput(
  io: Io,
  call: { readonly endpointId: string; readonly options: TestCallOptions },
) {
  const { endpointId, options } = call
  const values = await readCallValues(options.value ?? [], io)
  const lists = Object.values(values).flat()
  if (lists.some((value) => Object(value).bytes instanceof Uint8Array)) {
    throw new UsageError('Cannot use a file as a value: rate-limit tests send only text and JSON')
  }
  return { endpoint_id: endpointId, values, server: options.server }
}
