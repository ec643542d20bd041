import { parse } from 'tldts'

/** Returns the lower-case host of a URL without user and port; undefined if unknown or invalid. */
export function hostOf(url: string): string | undefined {
  const authority = authorityOf(withoutScheme(url.trim()))
  const host = authority.slice(authority.lastIndexOf('@') + 1).toLowerCase()
  const bare = host.startsWith('[')
    ? host.slice(0, host.indexOf(']') + 1)
    : host.replace(/\.?(?::.*)?$/s, '')
  return /^(?:[a-z0-9_{}*-]+\.)*[a-z0-9_{}-]+$|^\[[0-9a-f:.]+\]$/.test(bare) ? bare : undefined
}

/** Removes the scheme of a URL. */
export function withoutScheme(url: string): string {
  return url.replace(/^(?:[a-z+]+:)?\/\//i, '')
}

/** Removes query and fragment. */
export function withoutQuery(url: string): string {
  return url.replace(/[?#].*$/s, '')
}

/** Returns the authority (host, port, user) of a URL without a scheme. */
export function authorityOf(bare: string): string {
  return /^[^/?#\\\s]*/.exec(bare)?.[0] ?? ''
}

/** Returns the part of a URL after its authority. */
export function pathOf(url: string): string {
  return withoutScheme(url.trim()).replace(/^[^/?#]*/, '')
}

/** Whether a text begins with a host under a public suffix: `api.example.com/v1`. */
export function startsWithHost(text: string): boolean {
  if (!/^[a-z0-9{][\w{}-]*(?:\.[\w{}-]+)+(?::\d+)?(?:[/?]|$)/i.test(text)) return false
  // Names with underscores and without a path are keys: `content_urls.desktop.page`.
  if (/^[^/?:{}]*_[^/?:]*$/.test(text)) return false
  const host = hostOf(text)
  if (host === undefined) return false
  const known = parse(host.replaceAll('{}', 'x'))
  return known.isIcann === true && known.domain?.includes('_') === false
}

/** Whether a host is under no public suffix, such as a service of a cluster: `shop.backend`. */
export function isPrivateHost(host: string): boolean {
  if (/[{}*][^.]*$/.test(host)) return false
  const { isIcann, isPrivate, isIp } = parse(host.replaceAll(/\{\}|\*/g, 'x'))
  return !isIcann && !isPrivate && !isIp
}

/** Inserts a slash between a complete host and an unknown rest: `https://api.example.com{}`. */
export function withPathStart(url: string): string {
  const [, start = '', host = '', rest = ''] = OPEN_END.exec(url) ?? []
  const known = parse(host)
  return known.isIcann === true && known.domain !== null ? `${start}${host}/${rest}` : url
}

const OPEN_END =
  /^((?:[a-z+]+:)?\/\/)([a-z0-9.-]+\.[a-z]{2,})(\{\}(?:[/?#{].*|[\w-]+\/.*|\.(?:json|xml|csv|php)\b.*)?)$/is

/** Returns the registrable domain of a host, with `{}` for unknown parts; the host if it has none. */
export function domainOf(host: string): string {
  const { domain } = parse(host.replaceAll('{}', 'x'))
  return domain === null ? host : host.split('.').slice(-domain.split('.').length).join('.')
}
