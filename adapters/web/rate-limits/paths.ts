import { CONSOLE } from '../page.ts'

/** Where rate-limit tests are listed. */
export const RATE_LIMITS_PATH = `${CONSOLE}/rate-limits`

/** Where a test is started. */
export const START_PATH = `${RATE_LIMITS_PATH}/new`

/** The form for a test of an endpoint. */
export function toStartPath({ shortId }: { readonly shortId: string }): string {
  return `${START_PATH}?endpoint=${encodeURIComponent(shortId)}`
}

/** The page of a run. */
export function toRunPath({ id }: { readonly id: number }): string {
  return `${RATE_LIMITS_PATH}/${id}`
}
