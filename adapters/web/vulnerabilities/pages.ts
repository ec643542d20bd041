import type { Page } from '../page.ts'

export const vulnerabilitiesPages: readonly Page[] = []
