import type { ClientRule } from '../model/program.ts'

/** What the lexical frontend takes for requests, in all languages that it reads. */
export const lexicalClients: readonly ClientRule[] = [
  { callee: 'request', method: { name: 'method' }, url: { name: 'url' } },
]
