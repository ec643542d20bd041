import type { Browser } from 'playwright-core'
import { serve } from '../../adapters/runtime/serve.ts'
import { createConsole } from '../../adapters/web/console.ts'
import { openBrowser } from './browser.ts'
import type { TestService } from './service.ts'

/** A served console and a browser. */
export interface ShownConsole {
  readonly server: { readonly url: string }
  readonly browser: Browser
  /** Stops both, but not the service. */
  close(): Promise<void>
}

/** Serves a console to account A with all scopes, and starts a browser. */
export async function showConsole({
  app,
  caller,
}: Pick<TestService, 'app' | 'caller'>): Promise<ShownConsole> {
  const { handle } = await createConsole({ app, authenticate: () => ({ name: 'Ada', caller }) })
  const server = await serve(handle, { host: '127.0.0.1', port: 0 })
  const browser = await openBrowser()
  return {
    server,
    browser,
    async close() {
      await browser.close()
      await server.close()
    },
  }
}
