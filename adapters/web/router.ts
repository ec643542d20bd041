import { IttyRouter } from 'itty-router'
import type { Page } from './page.ts'

/** A page and the parameters of its path. */
export interface MatchedPage {
  readonly page: Page
  readonly params: Readonly<Record<string, string>>
}

/** Finds pages by method and path. */
export interface PageRouter {
  /**
   * Finds a page. `allow` lists the methods of a path that has only others; empty for an unknown
   * path.
   */
  find(method: string, path: string): MatchedPage | { readonly allow: readonly string[] }
}

/** Creates a router for the pages' paths below the console. */
export function createPageRouter(pages: readonly Page[]): PageRouter {
  const table = IttyRouter()
  for (const page of pages) table[page.method.toLowerCase() as 'get'](page.path, () => page)
  const routes = table.routes.map(([method, pattern], index) => ({
    method,
    pattern,
    page: pages[index] as Page,
  }))
  return {
    find(method, path) {
      const routedMethod = method === 'HEAD' ? 'GET' : method
      const allow = new Set<string>()
      for (const route of routes) {
        const match = route.pattern.exec(path)
        if (!match) continue
        const params = decodeParams(match.groups ?? {})
        if (!params) continue
        if (route.method === routedMethod) return { page: route.page, params }
        allow.add(route.method)
        if (route.method === 'GET') allow.add('HEAD')
      }
      return { allow: [...allow] }
    },
  }
}

/** Returns undefined for a malformed escape. */
function decodeParams(
  groups: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> | undefined {
  try {
    return Object.fromEntries(
      Object.entries(groups).map(([name, text]) => [name, decodeURIComponent(text)]),
    )
  } catch {
    return undefined
  }
}
