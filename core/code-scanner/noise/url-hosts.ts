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

/**
 * A URL with a slash where nothing is known of what follows a whole host: of
 * `https://api.example.com{}`, the path.
 */
export function withPathStart(url: string): string {
  const [, start = '', host = '', rest = ''] = OPEN_END.exec(url) ?? []
  const known = parse(host)
  return known.isIcann === true && known.domain !== null ? `${start}${host}/${rest}` : url
}

const OPEN_END = /^((?:[a-z+]+:)?\/\/)([a-z0-9.-]+\.[a-z]{2,})(\{\}(?:[/?#{].*)?)$/is

/** Registrable domain of a host, or the host; with `{}` where that part of it is unknown. */
export function domainOf(host: string): string {
  const { domain } = parse(host.replaceAll('{}', 'x'))
  return domain === null ? host : host.split('.').slice(-domain.split('.').length).join('.')
}
