import { CONSOLE } from '../page.ts'

/** Where rate-limit tests are listed. */
export const RATE_LIMITS_PATH = `${CONSOLE}/rate-limits`

/** The page of a run. */
export function toRunPath({ id }: { readonly id: number }): string {
  return `${RATE_LIMITS_PATH}/${id}`
}
