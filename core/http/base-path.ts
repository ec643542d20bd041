/**
 * A base path without its final slash: `/api`, or empty for the root. Undefined for what is no path
 * of letters, digits, `.`, `_`, `~` and `-`.
 */
export function parseBasePath(text: string): string | undefined {
  const path = text.replace(/\/+$/, '')
  return path === '' || /^(\/[\w.~-]+)+$/.test(path) ? path : undefined
}

/** Each base path as `parseBasePath` reads it, once. Throws a `RangeError` for what is none. */
function readBasePaths(texts: readonly string[]): readonly string[] {
  return [...new Set(texts.map(readBasePath))]
}

function readBasePath(text: string): string {
  const path = parseBasePath(text)
  if (path !== undefined) return path
  throw new RangeError(`Cannot use the base path "${text}": it must look like /api`)
}

/** Address at which clients reach the service, where a proxy stands in front of it. */
export interface PublicAddress {
  /** `https://tools.example`; undefined when only a path was configured. */
  readonly origin: string | undefined
  /** Path in front of everything that is served, without a final slash; empty for none. */
  readonly path: string
}

/**
 * Parses `https://tools.example/discovery`, or a path alone. Throws a `RangeError` for anything
 * else, and for a path that overlaps with one that the service uses itself.
 */
export function readPublicUrl(
  text: string | undefined,
  basePaths: readonly string[],
): PublicAddress {
  if (text === undefined) return { origin: undefined, path: '' }
  const url = /^https?:\/\//i.test(text) && URL.canParse(text) ? new URL(text) : undefined
  const path = parseBasePath(url ? url.pathname : text)
  const isPlain = !url || `${url.origin}${url.pathname}` === url.href
  if (path === undefined || !isPlain) {
    throw new RangeError(
      `Invalid public URL "${text}": it must look like https://tools.example/discovery`,
    )
  }
  const own = [...basePaths, ...OWN_PATHS].find((each) => overlaps(each, path))
  if (path !== '' && own !== undefined) {
    throw new RangeError(
      `Invalid public URL "${text}": the service itself uses the path "${own}". Choose another path, or other base paths`,
    )
  }
  return { origin: url?.origin, path }
}

/** Whether one path is the other, or lies below it. The root path overlaps with itself alone. */
function overlaps(one: string, other: string): boolean {
  if (one === '' || other === '') return one === other
  return `${one}/`.startsWith(`${other}/`) || `${other}/`.startsWith(`${one}/`)
}

/** Where operations are served. */
export interface ServedPaths {
  readonly basePaths: readonly string[]
  /** Accepted in front of every path; empty for none. */
  readonly publicPath: string
}

/** Parses the options of a service. Throws a `RangeError` for what is no path or address. */
export function readServedPaths(options: {
  readonly basePaths?: readonly string[]
  readonly publicUrl?: string
}): ServedPaths & { readonly publicAddress: PublicAddress } {
  const basePaths = readBasePaths(options.basePaths ?? ['/api'])
  const publicAddress = readPublicUrl(options.publicUrl, basePaths)
  return { basePaths, publicPath: publicAddress.path, publicAddress }
}

/** Server addresses of the operations, and of what is served at the root. */
export interface Servers {
  readonly bases: readonly string[]
  readonly root: string
}

/** Addresses for clients, relative to their host. */
export function toServers({ basePaths, publicPath }: ServedPaths): Servers {
  const bases = basePaths.map((path) => publicPath + path || '/')
  return { bases, root: publicPath || '/' }
}

/** Paths at the root of the service. */
const OWN_PATHS = [
  '/console',
  '/images',
  '/docs',
  '/healthz',
  '/readyz',
  '/metrics',
  '/.well-known',
]

/**
 * The target of a request as the service knows it. Proxies may pass the public path on or strip it:
 * a target without it is returned as it is.
 */
export function stripPublicPath(target: string, publicPath: string): string {
  if (publicPath === '' || !target.startsWith(publicPath)) return target
  const rest = target.slice(publicPath.length)
  if (rest.startsWith('/')) return rest
  return rest === '' || rest.startsWith('?') ? `/${rest}` : target
}
