// A Cloudflare-style worker: the core needs no `node:` module. The storage comes from a binding,
// since a worker has no files: anything that passes `describeStorage` will do.
import { type ApiDiscovery, createApiDiscovery, type Storage } from 'api-discovery'

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
