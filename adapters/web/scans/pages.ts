import type { Page } from '../page.ts'

export const scansPages: readonly Page[] = []
