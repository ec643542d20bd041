import type { ClientRows } from '../model/client-rows.ts'

/** The calls that the lexical frontend gives for requests, in all languages that it reads. */
export const lexicalClients: readonly ClientRows[] = [{ rows: 'request(*, method, url)' }]
