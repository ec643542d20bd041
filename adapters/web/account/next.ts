import { CONSOLE } from '../page.ts'

/** Where nobody wants to be after a log-in. */
const LEFT = /^\/console\/(login|logout|welcome)(\/|$)/

/** The page that was asked for before the log-in, when it is one of the console; else its first. */
export function readNext(text: string): string {
  const start = `${CONSOLE}/`
  const base = 'http://console.invalid'
  if (!text.startsWith(start) || !URL.canParse(text, base)) return start
  // As a browser reads it: without `..`, and with slashes for backslashes.
  const { origin, pathname, search } = new URL(text, base)
  return origin === base && pathname.startsWith(start) && !LEFT.test(pathname)
    ? pathname + search
    : start
}
