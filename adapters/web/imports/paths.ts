import { CONSOLE } from '../page.ts'

/** Path of the list of imports. */
export const IMPORTS_PATH = `${CONSOLE}/imports`

/** Returns the path of an import's report. */
export function toImportPath({ id }: { readonly id: number }): string {
  return `${IMPORTS_PATH}/${id}`
}
