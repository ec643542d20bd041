import { CATEGORIES } from '../../../core/index.ts'

/**
 * Returns the name of a category by its position from 1; undefined for an API without a category.
 */
export function getCategoryName(id: number | undefined): string | undefined {
  return id === undefined ? undefined : CATEGORIES[id - 1]
}
