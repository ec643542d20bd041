// A Cloudflare-style worker: the core needs no `node:` modules. A binding provides the storage,
// because a worker has no files: any storage that passes `describeStorage` works.
import { type ApiDiscovery, createApiDiscovery } from 'api-discovery'
import type { Storage } from 'api-discovery/storage'

interface Bindings {
  readonly STORAGE: Storage
}

let app: ApiDiscovery | undefined

export default {
  fetch(request: Request, bindings: Bindings): Response | Promise<Response> {
    app ??= createApiDiscovery({ storage: bindings.STORAGE })
    return app.fetch(request, {
      clientAddress: request.headers.get('cf-connecting-ip') ?? undefined,
    })
  },
}
