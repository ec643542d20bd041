import { SCOPES } from '../../core/index.ts'
import { type Io, toPrintable } from './io.ts'
import type { FirstKey, SeedResult } from './seed.ts'
import type { SetUpLink } from './serve-console.ts'

/** A server that accepts requests. */
export interface ReadyServer {
  /** URL that the server listens on. */
  readonly url: string
  /** Public URL for clients (default: `url`). */
  readonly address: string
  readonly basePath: string
  readonly hasConsole: boolean
  /** Undefined without `--seed`. */
  readonly seeded: SeedResult | undefined
  /** Undefined without `--seed` and `--print-setup`. */
  readonly firstKey: FirstKey | undefined
  /** Undefined if there are users, or without a console. */
  readonly setUp: SetUpLink | undefined
  readonly isJson: boolean
  /** Allowed by `--egress-allow`. */
  readonly egressAllow: readonly string[]
  /** Hosts that rate-limit tests may target. */
  readonly testHosts: readonly string[]
  /** Five cron fields; undefined without scheduled syncs. */
  readonly syncSchedule: string | undefined
}

/** Prints the address of a server and, on its first start, how to log in and call it. */
export function printReadyServer(io: Io, ready: ReadyServer): void {
  if (ready.isJson) io.result(JSON.stringify(toReadyJson(ready)))
  else printReadyText(io, ready)
  for (const hint of listSetUpHints(ready)) io.note(hint)
}

function toReadyJson(ready: ReadyServer): Readonly<Record<string, unknown>> {
  const { url, address, basePath, firstKey, setUp, egressAllow, testHosts, syncSchedule } = ready
  return {
    url,
    base_url: `${address}${basePath}`,
    ...(ready.hasConsole ? { console_url: `${address}/console/` } : {}),
    ...(setUp?.kind === 'made' ? { setup_link: formatSetUpLink(address, setUp.token) } : {}),
    ...(firstKey?.key === undefined ? {} : { api_key: firstKey.key }),
    ...(egressAllow.length > 0 ? { egress_allow: egressAllow } : {}),
    ...(testHosts.length > 0 ? { test_hosts: testHosts } : {}),
    ...(syncSchedule === undefined ? {} : { sync_schedule: syncSchedule }),
  }
}

function printReadyText(io: Io, ready: ReadyServer): void {
  const { address, basePath, seeded, firstKey, setUp, egressAllow, testHosts, syncSchedule } = ready
  io.result(`Serving ${address}${basePath}`)
  io.result(`Reference ${address}/docs`)
  if (ready.hasConsole) io.result(`Console ${address}/console/`)
  if (setUp?.kind === 'made') {
    io.result('')
    io.result(
      'Open this link in a browser to choose your name and password. It can be used once, within a day:',
    )
    io.result(`  ${formatSetUpLink(address, setUp.token)}`)
    io.result('')
  }
  if (egressAllow.length > 0)
    io.result(toPrintable(`Allowed non-public addresses: ${egressAllow.join(', ')}`))
  if (testHosts.length > 0)
    io.result(toPrintable(`Hosts allowed for rate-limit tests: ${testHosts.join(', ')}`))
  if (syncSchedule !== undefined)
    io.result(`Syncs of vulnerability data: ${syncSchedule} (cron, UTC)`)
  if (seeded && seeded.imported > 0) io.result(`Imported ${seeded.imported} example descriptions`)
  if (seeded && seeded.loaded > 0) {
    io.result(`Loaded ${seeded.loaded} example CVE records, including ${seeded.rejected} rejected`)
  }
  if (firstKey?.key === undefined) return
  io.result(`API key ${firstKey.key} (printed only now)`)
  io.result('')
  io.result('Try:')
  const base = `${address}${basePath}`
  const header = `-H 'api-key: ${firstKey.key}'`
  io.result(`  curl -s ${header} '${base}/endpoint_search?q=weather+forecast'`)
  io.result(`  curl -s ${header} '${base}/endpoint_list'`)
  io.result(`  curl -s ${header} '${base}/categories'`)
  io.result(`  curl -s ${header} -d '{"search_term":"log4j"}' '${base}/cvesearch/'`)
}

/** Explains how to get a set-up link or API key that was not printed. */
function listSetUpHints({ setUp, firstKey, address }: ReadyServer): readonly string[] {
  const invite = `api-discovery users invite --account default --scopes ${SCOPES.join(',')} --public-url ${address}`
  const hints: string[] = []
  if (setUp?.kind === 'open') {
    const until = new Date(setUp.expiresAt).toISOString().slice(0, 16).replace('T', ' ')
    hints.push(
      `There are no console users yet: the set-up link of an earlier start is valid until ${until} UTC. If you lost it, create an invitation: ${invite}`,
    )
  }
  if (setUp?.kind === 'unprinted') {
    hints.push(
      `There are no console users yet, and no set-up link was printed because standard output is not a terminal. Create an invitation: ${invite}, or start with --print-setup`,
    )
  }
  if (firstKey?.key === undefined && firstKey?.hasKey) {
    hints.push(
      'No API key was created because there are keys already: the console lists them under "Account", and "keys create" creates another.',
    )
  } else if (firstKey && firstKey.key === undefined) {
    hints.push(
      `No API key was created because standard output is not a terminal. Create one: api-discovery keys create --account default --scopes ${SCOPES.join(',')}, or start with --print-setup`,
    )
  }
  return hints
}

function formatSetUpLink(address: string, token: string): string {
  return `${address}/console/welcome?token=${token}`
}
