/** Whether a URL has this origin, in the notation of `CallPlan.originOf`. */
export function isOfOrigin(url: string, origin: string): boolean {
  if (!url.startsWith(origin)) return false
  const next = url.charAt(origin.length)
  return next === '/' || next === '?' || next === ''
}
