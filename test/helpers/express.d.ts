/** The part of Express that tests and examples use; its types are a separate package. */
declare module 'express' {
  import type { IncomingMessage, Server, ServerResponse } from 'node:http'

  interface Answer extends ServerResponse {
    send(body: string): void
  }

  type Listener = (request: IncomingMessage, response: Answer) => void

  interface Application {
    use(listener: Listener): void
    use(path: string, listener: Listener): void
    get(path: string, listener: Listener): void
    listen(port: number, host: string, onListen: () => void): Server
    (request: IncomingMessage, response: ServerResponse): void
  }

  const express: (() => Application) & { json(): Listener }
  // biome-ignore lint/style/noDefaultExport: this is how the package exports itself.
  export default express
}
