import { CONSOLE } from '../page.ts'

/** Path of the list of rate-limit tests. */
export const RATE_LIMITS_PATH = `${CONSOLE}/rate-limits`

/** Path of the start page. */
export const START_PATH = `${RATE_LIMITS_PATH}/new`

/** Returns the path of the start form for an endpoint. */
export function toStartPath({ shortId }: { readonly shortId: string }): string {
  return `${START_PATH}?endpoint=${encodeURIComponent(shortId)}`
}

/** Returns the path of a run's page. */
export function toRunPath({ id }: { readonly id: number }): string {
  return `${RATE_LIMITS_PATH}/${id}`
}
