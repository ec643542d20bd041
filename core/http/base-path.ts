/**
 * Parses a base path and removes its final slash: `/api`, or empty for the root. Returns undefined
 * unless the path consists of letters, digits, `.`, `_`, `~` and `-`.
 *
 * @example
 * ```ts
 * import { parseBasePath } from 'api-discovery'
 *
 * parseBasePath('/api/') // '/api'
 * parseBasePath('api') // undefined
 * ```
 */
export function parseBasePath(text: string): string | undefined {
  const path = text.replace(/\/+$/, '')
  return path === '' || /^(\/[\w.~-]+)+$/.test(path) ? path : undefined
}

/**
 * Parses base paths and removes duplicates. Throws a `RangeError` for an invalid path, and a
 * `TypeError` for a value that is not a list.
 */
function parseBasePaths(texts: readonly string[]): readonly string[] {
  if (!Array.isArray(texts)) {
    throw new TypeError('Invalid option "basePaths": must be a list of paths, such as ["/api"]')
  }
  return [...new Set(texts.map(parseRequiredBasePath))]
}

function parseRequiredBasePath(text: string): string {
  const path = parseBasePath(text)
  if (path !== undefined) return path
  throw new RangeError(`Invalid base path "${text}": must look like /api`)
}

/** Public address of the service, for clients behind a proxy. */
export interface PublicAddress {
  /** `https://tools.example`; undefined when only a path was configured. */
  readonly origin: string | undefined
  /** Path prefix of all routes, without a final slash; empty for none. */
  readonly path: string
}

/**
 * Parses `https://tools.example/discovery`, or a path alone. Throws a `RangeError` for any other
 * text, and for a path that overlaps with one of the service's own.
 */
export function parsePublicUrl(
  text: string | undefined,
  basePaths: readonly string[],
): PublicAddress {
  if (text === undefined) return { origin: undefined, path: '' }
  const url = /^https?:\/\//i.test(text) && URL.canParse(text) ? new URL(text) : undefined
  const path = parseBasePath(url ? url.pathname : text)
  const isPlain = !url || `${url.origin}${url.pathname}` === url.href
  if (path === undefined || !isPlain) {
    throw new RangeError(
      `Invalid public URL "${text}": must look like https://tools.example/discovery`,
    )
  }
  const own = [...basePaths, ...RESERVED_PATHS].find((each) => pathsOverlap(each, path))
  if (path !== '' && own !== undefined) {
    throw new RangeError(
      `Invalid public URL "${text}": the service uses the path "${own}" itself. Choose another path or other base paths`,
    )
  }
  return { origin: url?.origin, path }
}

/**
 * Checks whether one path equals or contains the other. The root path overlaps only with itself.
 */
function pathsOverlap(path: string, other: string): boolean {
  if (path === '' || other === '') return path === other
  return `${path}/`.startsWith(`${other}/`) || `${other}/`.startsWith(`${path}/`)
}

/** Paths at which operations are mounted. */
export interface ServedPaths {
  readonly basePaths: readonly string[]
  /** Accepted before every path; empty for none. */
  readonly publicPath: string
}

/** Parses a service's options. Throws a `RangeError` for an invalid path or address. */
export function parseServedPaths(options: {
  readonly basePaths?: readonly string[]
  readonly publicUrl?: string
  readonly consolePath?: string
}): ServedPaths & {
  readonly publicAddress: PublicAddress
  /** Without an origin if none was configured; undefined without a console. */
  readonly consoleUrl: string | undefined
} {
  const basePaths = parseBasePaths(options.basePaths ?? ['/api'])
  const publicAddress = parsePublicUrl(options.publicUrl, basePaths)
  const { origin = '', path: publicPath } = publicAddress
  const consolePath = options.consolePath?.replace(/\/+$/, '')
  const consoleUrl = consolePath === undefined ? undefined : origin + publicPath + consolePath
  return { basePaths, publicPath, publicAddress, consoleUrl }
}

/** Server addresses of the operations and of the root routes. */
export interface Servers {
  readonly bases: readonly string[]
  readonly root: string
}

/** Server addresses for clients, relative to their host. */
export function toServers({ basePaths, publicPath }: ServedPaths): Servers {
  const bases = basePaths.map((path) => publicPath + path || '/')
  return { bases, root: publicPath || '/' }
}

/** Paths at the service's root. */
const RESERVED_PATHS = [
  '/console',
  '/images',
  '/docs',
  '/healthz',
  '/readyz',
  '/metrics',
  '/.well-known',
]

/**
 * Removes the public path from a request target. Proxies may forward the public path or strip it: a
 * target without it is returned unchanged.
 *
 * @example
 * ```ts
 * import { stripPublicPath } from 'api-discovery'
 *
 * stripPublicPath('/discovery/api/vendors?page=2', '/discovery') // '/api/vendors?page=2'
 * stripPublicPath('/api/vendors', '/discovery') // '/api/vendors'
 * ```
 */
export function stripPublicPath(target: string, publicPath: string): string {
  if (publicPath === '' || !target.startsWith(publicPath)) return target
  const rest = target.slice(publicPath.length)
  if (rest.startsWith('/')) return rest
  return rest === '' || rest.startsWith('?') ? `/${rest}` : target
}
