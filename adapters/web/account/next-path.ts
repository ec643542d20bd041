import { CONSOLE } from '../page.ts'

/** Pages that are no useful destination after a log-in. */
const EXCLUDED_PATHS = /^\/console\/(login|logout|welcome)(\/|$)/

/**
 * Returns the page requested before the log-in if it is part of the console; otherwise the start
 * page.
 */
export function parseNextPath(text: string): string {
  const start = `${CONSOLE}/`
  const base = 'http://console.invalid'
  if (!text.startsWith(start) || !URL.canParse(text, base)) return start
  // Parse it as browsers do: `..` is resolved, and backslashes become slashes.
  const { origin, pathname, search } = new URL(text, base)
  return origin === base && pathname.startsWith(start) && !EXCLUDED_PATHS.test(pathname)
    ? pathname + search
    : start
}
