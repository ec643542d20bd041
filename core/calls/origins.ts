/** Whether a URL is of an origin, written as `CallPlan.originOf` does. */
export function isOfOrigin(url: string, origin: string): boolean {
  if (!url.startsWith(origin)) return false
  const next = url.charAt(origin.length)
  return next === '/' || next === '?' || next === ''
}
