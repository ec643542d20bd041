import { IttyRouter } from 'itty-router'

/** Method and path of an operation. */
export interface Route<Target> {
  /** Upper case. */
  readonly method: string
  /** Full path, base path included: `/api/endpoint_list`. */
  readonly path: string
  readonly target: Target
}

export interface Router<Target> {
  /**
   * Finds the target of method and path. For a known path with another method, `allow` lists its
   * methods. Returns undefined for an unknown path.
   */
  find(
    method: string,
    path: string,
  ): { readonly target: Target } | { readonly allow: readonly string[] } | undefined
}

/**
 * Creates a router for static paths. A path matches with and without a final slash. Routes are
 * stored in an itty-router table; a request costs one lookup in an index of it.
 */
export function createRouter<Target>(routes: readonly Route<Target>[]): Router<Target> {
  const table = IttyRouter()
  const index = new Map<string, Map<string, Target>>()
  for (const { method, path, target } of routes) {
    table[method.toLowerCase() as 'get'](path, () => target)
    const methods = index.get(path) ?? new Map<string, Target>()
    for (const spelling of toPathSpellings(path)) index.set(spelling, methods)
    methods.set(method, target)
  }
  const patterns = table.routes.map(([, pattern, , path]) => ({ pattern, path: path ?? '' }))

  /** Finds other spellings that the table's patterns accept, such as repeated final slashes. */
  function findSpelling(path: string): Map<string, Target> | undefined {
    if (!path.endsWith('//')) return undefined
    const match = patterns.find(({ pattern }) => pattern.test(path))
    return match && index.get(match.path)
  }

  return {
    find(method, path) {
      const methods = index.get(path) ?? findSpelling(path)
      if (!methods) return undefined
      const target = methods.get(method) ?? (method === 'HEAD' ? methods.get('GET') : undefined)
      return target === undefined ? { allow: toAllowedMethods(methods.keys()) } : { target }
    },
  }
}

function toPathSpellings(path: string): readonly string[] {
  if (path === '/') return [path]
  return path.endsWith('/') ? [path, path.slice(0, -1)] : [path, `${path}/`]
}

function toAllowedMethods(methods: Iterable<string>): readonly string[] {
  const allow = [...methods]
  if (allow.includes('GET')) allow.push('HEAD')
  return [...allow, 'OPTIONS'].sort()
}
