interface EnvironmentVariable {
  readonly name: string
  readonly description: string
  /** Value in effect if the variable is unset or empty. */
  readonly fallback: string
}

/**
 * Environment variables of the command line. An option of the same meaning overrides its variable.
 */
export const ENVIRONMENT_VARIABLES: readonly EnvironmentVariable[] = [
  {
    name: 'API_DISCOVERY_DATABASE',
    description: 'Database: sqlite:FILE or postgres://…',
    fallback: 'sqlite:.data/api-discovery.db',
  },
  {
    name: 'API_DISCOVERY_SECRET',
    description: 'Secret of the service: 32 random bytes in hex or base64',
    fallback: 'the secret file, created on first use',
  },
  {
    name: 'API_DISCOVERY_PREVIOUS_SECRET',
    description: 'Previous secret during a rotation',
    fallback: 'none',
  },
  {
    name: 'API_DISCOVERY_SECRET_FILE',
    description: 'Path of the secret file',
    fallback: 'DATABASE-FILE.secret, or .data/api-discovery.secret with PostgreSQL',
  },
  {
    name: 'API_DISCOVERY_EGRESS_ALLOW',
    description: 'Non-public addresses, ranges and names that may be called, comma-separated',
    fallback: 'none',
  },
  {
    name: 'API_DISCOVERY_TEST_HOSTS',
    description: 'Hosts that rate-limit tests may be sent to, comma-separated',
    fallback: 'hosts that prove their consent',
  },
  {
    name: 'API_DISCOVERY_TEST_CONTACT',
    description: 'Contact address in the User-Agent of rate-limit tests',
    fallback: 'none',
  },
  {
    name: 'API_DISCOVERY_SYNC',
    description: 'Schedule on which "serve" syncs vulnerability data: daily, or five cron fields',
    fallback: 'none',
  },
  {
    name: 'API_DISCOVERY_SYNC_MIRRORS',
    description: 'URLs from which "sync all" reads instead, such as kev=https://…, comma-separated',
    fallback: 'the publishers',
  },
  {
    name: 'API_DISCOVERY_SYNC_SKIP',
    description: 'Sources that "sync all" and "serve" leave out, such as nvd,epss',
    fallback: 'none',
  },
  {
    name: 'API_DISCOVERY_KEY',
    description: 'API key for "--submit" of scans',
    fallback: 'none',
  },
  { name: 'NO_COLOR', description: 'Disables colours when set', fallback: 'colours on a terminal' },
]
