import type { Page } from '../page.ts'

export const cataloguePages: readonly Page[] = []
