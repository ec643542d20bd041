// A custom storage: wraps another storage and reports slow queries.
// `custom-storage.test.ts` checks that it still meets the storage contract.
import { createApiDiscovery } from 'api-discovery'
import { closeOnSignals, serve } from 'api-discovery/serve'
import { openSqlite } from 'api-discovery/sqlite'
import type { FullStorage } from 'api-discovery/storage'

/** Calls `tell` with the name and duration of each repository method slower than `slowMs`. */
export function watchStorage(
  storage: FullStorage,
  options: { readonly slowMs: number; readonly tell: (method: string, tookMs: number) => void },
): FullStorage {
  const watch = <Store extends object>(store: Store): Store =>
    new Proxy(store, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name)
        if (typeof member !== 'function') return member
        return (...parameters: unknown[]) => {
          const startedAt = performance.now()
          const result: unknown = member.apply(target, parameters)
          if (!(result instanceof Promise)) return result
          return result.finally(() => {
            const tookMs = performance.now() - startedAt
            if (tookMs > options.slowMs) options.tell(String(name), tookMs)
          })
        }
      },
    })
  return {
    catalogue: watch(storage.catalogue),
    imports: watch(storage.imports),
    accounts: watch(storage.accounts),
    users: watch(storage.users),
    vulnerabilities: watch(storage.vulnerabilities),
    gateway: watch(storage.gateway),
    scans: watch(storage.scans),
    jobs: watch(storage.jobs),
    rateLimits: watch(storage.rateLimits),
    agreements: watch(storage.agreements),
    ping: () => storage.ping(),
    checkWrite: () => storage.checkWrite(),
    close: () => storage.close(),
  }
}

if (import.meta.main) {
  const storage = watchStorage(await openSqlite({ file: 'apis.db' }), {
    slowMs: 50,
    tell: (method, tookMs) => console.warn(`${method} took ${tookMs.toFixed(0)} ms`),
  })
  const app = createApiDiscovery({ storage })
  const server = await serve(app.handle, { port: Number(process.env.PORT ?? 8080) })
  console.log(server.url)
  await closeOnSignals(server)
  await app.close()
}
