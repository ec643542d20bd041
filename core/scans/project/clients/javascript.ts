import type { ClientRule } from '../program.ts'

/** Clients of JavaScript and TypeScript. */
export const javascriptClients: readonly ClientRule[] = []
