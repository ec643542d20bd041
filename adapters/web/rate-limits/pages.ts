import type { Page } from '../page.ts'

export const rateLimitsPages: readonly Page[] = []
