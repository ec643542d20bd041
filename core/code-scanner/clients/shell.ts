import type { ClientRows } from '../model/client-rows.ts'

/** Clients of the shell. The frontend reads their options: it gives `url` and `method` by name. */
export const shellClients: readonly ClientRows[] = [
  {
    rows: `
      GET {curl|wget|http|https|xh|xhs|grpcurl|websocat}(*, method, url)
      GET {Invoke-RestMethod|Invoke-WebRequest}(*, method, url)
    `,
  },
]
