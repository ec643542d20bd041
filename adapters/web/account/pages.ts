import type { Page } from '../page.ts'

export const accountPages: readonly Page[] = []
