import type { Command } from 'commander'
import { addEgressOptions, type EgressOptions } from './egress-options.ts'
import { UsageError } from './errors.ts'
import { readCallValues } from './gateway-values.ts'
import type { Io } from './io.ts'
import { collectValues } from './scan-options.ts'
import {
  type AccountOptions,
  addAccountOption,
  type ServiceOfAccount,
  withAccount,
} from './service.ts'
import { addTestOptions, findTestConsent } from './test-options.ts'

/** Options of commands that build the call of a rate-limit test. */
export interface TestCallOptions extends AccountOptions, EgressOptions {
  readonly value?: readonly string[]
  readonly server?: string
  readonly testHost?: readonly string[]
  readonly testContact?: string
}

/** Adds the endpoint argument and the options that build its call. */
export function addTestCallOptions(command: Command): Command {
  return addTestOptions(addAccountOption(addEgressOptions(command)))
    .argument('<endpoint-id>', 'endpoint ID, as shown by "search"')
    .option('--value <name=text>', 'parameter value, or name:=json; repeatable', collectValues)
    .option('--server <server>', 'server name, URL template or number, starting at 1')
}

/** Opens the service with the hosts that the operator allows to test. */
export function withRateLimitTests<T>(
  io: Io,
  options: TestCallOptions,
  work: (service: ServiceOfAccount) => Promise<T>,
): Promise<T> {
  const consent = { hosts: options.testHost, contact: options.testContact }
  return withAccount(
    io,
    { ...options, service: { rateLimitTests: findTestConsent(io, consent) } },
    work,
  )
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
