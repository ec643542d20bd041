import type { Page } from '../page.ts'

export const importsPages: readonly Page[] = []
