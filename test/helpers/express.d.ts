/** The part of Express that tests use; its own types are a package of their own. */
declare module 'express' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  type Listener = (request: IncomingMessage, response: ServerResponse) => void

  interface Application extends Listener {
    use(listener: Listener): void
    use(path: string, listener: Listener): void
    (request: IncomingMessage, response: ServerResponse): void
  }

  const express: (() => Application) & { json(): Listener }
  // biome-ignore lint/style/noDefaultExport: this is how the package exports itself.
  export default express
}
