import type { ClientRule } from '../model/program.ts'

/**
 * Clients of the shell. The frontend reads their options (`shell/clients.ts`): what it gives as
 * arguments is `url` and `method`, in `named`.
 */
export const shellClients: readonly ClientRule[] = [
  'curl',
  'wget',
  'http',
  'https',
  'xh',
  'xhs',
  'grpcurl',
  'websocat',
  'Invoke-RestMethod',
  'Invoke-WebRequest',
].map((callee) => ({
  callee,
  method: { name: 'method' },
  defaultMethod: 'get',
  url: { name: 'url' },
}))
