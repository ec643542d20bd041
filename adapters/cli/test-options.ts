import { InvalidArgumentError } from 'commander'
import type { ApiDiscoveryOptions } from '../../core/index.ts'
import { splitCommaList } from './egress-options.ts'
import type { Io } from './io.ts'

/** Hosts that the operator allows for rate-limit tests, and a contact for their owners. */
export interface TestConsent {
  readonly hosts: readonly string[] | undefined
  readonly contact: string | undefined
}

/** Options of rate-limit tests. */
export const TEST_OPTIONS = [
  [
    '--test-host <host>',
    'host that rate-limit tests may target; without a port, 80 and 443; repeatable (default: API_DISCOVERY_TEST_HOSTS, comma-separated)',
    { parse: collectTestHosts },
  ],
  [
    '--test-contact <text>',
    'mail or web address in the User-Agent of test requests (default: API_DISCOVERY_TEST_CONTACT)',
    { parse: parseTestContact },
  ],
] as const

/** Reads the settings of rate-limit tests from the options, else from the environment. */
export function findTestConsent(
  io: Io,
  { hosts, contact }: TestConsent,
): NonNullable<ApiDiscoveryOptions['rateLimitTests']> {
  const { environment } = io
  const found = contact ?? environment.API_DISCOVERY_TEST_CONTACT
  return {
    hosts: hosts ?? splitCommaList(environment.API_DISCOVERY_TEST_HOSTS ?? ''),
    ...(found ? { contact: found } : {}),
  }
}

function collectTestHosts(text: string, before: readonly string[] = []): readonly string[] {
  const hosts = splitCommaList(text)
  if (hosts.length > 0) return [...before, ...hosts]
  throw new InvalidArgumentError('It must be a host name or an address.')
}

/** Rejects an empty contact; the service validates the rest. */
function parseTestContact(text: string): string {
  if (text.trim() !== '') return text
  throw new InvalidArgumentError('It must be a mail or web address.')
}
