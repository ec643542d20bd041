import { isReserved } from '../../matching/hosts.ts'

/**
 * Whether a flow's host, lower case, is of the local network: a private, link-local, broadcast or
 * multicast address, or a name that no other network knows (`printer`, `tv.local`, `nas.lan`).
 */
export function isLocalHost(host: string): boolean {
  if (host.includes(':')) return host.startsWith('ff') || isReserved(`[${host}]`)
  return isReserved(host) || OTHER_LOCAL.test(host)
}

/** Multicast and broadcast, names of home networks and of addresses, and single labels. */
const OTHER_LOCAL = /^(?:22[4-9]|23\d|255)(?:\.\d+){3}$|\.(?:lan|home|arpa)$|^[^.]+$/
