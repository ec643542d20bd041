import { isReserved } from '../matching/hosts.ts'

/**
 * Whether a flow's host (in lower case) is in the local network. Local hosts are private,
 * link-local, broadcast and multicast addresses, and names of local networks (`printer`,
 * `tv.local`, `nas.lan`).
 *
 * @example
 * ```ts
 * import { isLocalHost } from 'api-discovery/scans'
 *
 * isLocalHost('nas.lan') // true
 * isLocalHost('api.example.com') // false
 * ```
 */
export function isLocalHost(host: string): boolean {
  if (host.includes(':')) return host.startsWith('ff') || isReserved(`[${host}]`)
  return isReserved(host) || OTHER_LOCAL.test(host)
}

/** Multicast and broadcast addresses, home network and reverse DNS names, and single labels. */
const OTHER_LOCAL = /^(?:22[4-9]|23\d|255)(?:\.\d+){3}$|\.(?:lan|home|arpa)$|^[^.]+$/
