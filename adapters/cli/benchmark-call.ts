import type { Command } from 'commander'
import { addEgressOptions, type EgressOptions } from './egress.ts'
import { UsageError } from './errors.ts'
import { readValues } from './gateway-values.ts'
import type { Io } from './io.ts'
import { collect } from './scan-options.ts'
import {
  type AccountOptions,
  addAccountOption,
  type ServiceOfAccount,
  withAccount,
} from './service.ts'
import { addTestOptions, findTestConsent } from './test-options.ts'

/** Options of commands that make a call of an endpoint for its test. */
export interface TestCallOptions extends AccountOptions, EgressOptions {
  readonly value?: readonly string[]
  readonly server?: string
  readonly testHost?: readonly string[]
  readonly testContact?: string
}

/** Adds the endpoint and what says how it is called. */
export function addTestCallOptions(command: Command): Command {
  return addTestOptions(addAccountOption(addEgressOptions(command)))
    .argument('<endpoint-id>', 'id of the endpoint, as "search" shows it')
    .option('--value <name=text>', 'a value of the call, or name:=json; repeatable', collect)
    .option('--server <server>', 'which server: its name, URL template, or number from 1')
}

/** Opens the service with the hosts that are open to tests. */
export function withTests<T>(
  io: Io,
  options: TestCallOptions,
  use: (service: ServiceOfAccount) => Promise<T>,
): Promise<T> {
  const consent = { hosts: options.testHost, contact: options.testContact }
  return withAccount(
    io,
    { ...options, service: { rateLimitTests: findTestConsent(io, consent) } },
    use,
  )
}

/** Reads the parameters of operations that make a call; a `UsageError` for what is no text or JSON. */
export async function toTestCallInput(
  io: Io,
  given: { readonly endpointId: string; readonly options: TestCallOptions },
) {
  const { endpointId, options } = given
  const values = await readValues(options.value ?? [], io)
  const lists = Object.values(values).flat()
  if (lists.some((value) => Object(value).bytes instanceof Uint8Array)) {
    throw new UsageError('Cannot use a file as a value: tests send texts and JSON')
  }
  return { endpoint_id: endpointId, values, server: options.server }
}
