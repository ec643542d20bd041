import { IttyRouter } from 'itty-router'
import type { Page } from './page.ts'

/** A page, and what its path says. */
export interface Found {
  readonly page: Page
  readonly params: Readonly<Record<string, string>>
}

/** Finds pages by method and path. */
export interface PageRouter {
  /** `isKnown`: there is something at the path, for another method. */
  find(method: string, path: string): Found | { readonly isKnown: boolean }
}

/** Creates a router over the pages' paths, below the console. */
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
      const asked = method === 'HEAD' ? 'GET' : method
      let isKnown = false
      for (const route of routes) {
        const match = route.pattern.exec(path)
        if (!match) continue
        isKnown = true
        const params = decodeParams(match.groups ?? {})
        if (route.method === asked && params) return { page: route.page, params }
      }
      return { isKnown }
    },
  }
}

/** Undefined where a part is badly escaped. */
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
