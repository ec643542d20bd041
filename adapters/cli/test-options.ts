import { type Command, InvalidArgumentError } from 'commander'
import type { ApiDiscoveryOptions } from '../../core/index.ts'
import type { Io } from './io.ts'

/** Hosts that the operator opens to rate-limit tests, and who is to be asked about these. */
export interface TestConsent {
  readonly hosts: readonly string[] | undefined
  readonly contact: string | undefined
}

/** Adds the options of rate-limit tests. */
export function addTestOptions(command: Command): Command {
  return command
    .option(
      '--test-host <host>',
      'host that rate-limit tests may be sent to; without a port, both of HTTP; repeatable (API_DISCOVERY_TEST_HOSTS, comma-separated)',
      collectHosts,
    )
    .option(
      '--test-contact <text>',
      'mail or web address that the requests of tests name in their User-Agent (API_DISCOVERY_TEST_CONTACT)',
      toContact,
    )
}

/** What the options, else the environment say of rate-limit tests. */
export function findTestConsent(
  io: Io,
  { hosts, contact }: TestConsent,
): NonNullable<ApiDiscoveryOptions['rateLimitTests']> {
  const { environment } = io
  const found = contact ?? environment.API_DISCOVERY_TEST_CONTACT
  return {
    hosts: hosts ?? toList(environment.API_DISCOVERY_TEST_HOSTS ?? ''),
    ...(found ? { contact: found } : {}),
  }
}

function collectHosts(text: string, before: readonly string[] = []): readonly string[] {
  const hosts = toList(text)
  if (hosts.length > 0) return [...before, ...hosts]
  throw new InvalidArgumentError('It must name a host.')
}

/** The service says what else it must be. */
function toContact(text: string): string {
  if (text.trim() !== '') return text
  throw new InvalidArgumentError('It must be a mail or web address.')
}

function toList(text: string): readonly string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}
