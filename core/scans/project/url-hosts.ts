import { parse } from 'tldts'
import { hostOf } from './noise.ts'

/** Whether a text begins with a host under a public suffix: `api.example.com/v1`. */
export function startsWithHost(text: string): boolean {
  if (!/^[a-z0-9{][\w{}-]*(?:\.[\w{}-]+)+(?::\d+)?(?:[/?]|$)/i.test(text)) return false
  const host = hostOf(text)
  if (host === undefined) return false
  const known = parse(host.replaceAll('{}', 'x'))
  return known.isIcann === true && known.domain !== null
}

/** Registrable domain of a host, or the host; with `{}` where that part of it is unknown. */
export function domainOf(host: string): string {
  const { domain } = parse(host.replaceAll('{}', 'x'))
  return domain === null ? host : host.split('.').slice(-domain.split('.').length).join('.')
}
