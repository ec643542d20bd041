import { CONSOLE } from '../page.ts'

/** Where imports are listed. */
export const IMPORTS_PATH = `${CONSOLE}/imports`

/** The page of an import. */
export function toImportPath({ id }: { readonly id: number }): string {
  return `${IMPORTS_PATH}/${id}`
}
