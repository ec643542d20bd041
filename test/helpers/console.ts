import { createConsole } from '../../adapters/web/console.ts'
import { toFormToken } from '../../adapters/web/forms.ts'
import type { Viewer } from '../../adapters/web/page.ts'
import { toFetchHandler } from '../../core/http/fetch.ts'
import { openTestService, type TestService, type TestServiceOptions } from './service.ts'

/** A page as loaded by a browser without scripts. */
export interface ShownPage {
  readonly status: number
  readonly headers: Headers
  /** The HTML document. */
  readonly html: string
  /** Text of `main` without tags and entities, with collapsed white space. */
  readonly text: string
}

/** A service with its console, called in process. */
export interface TestConsole extends TestService {
  /** Loads a page as the viewer. */
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<ShownPage>
  /** Sends a form with its token, like a page of the console. */
  post(
    path: string,
    fields: Readonly<Record<string, string | readonly string[]>>,
    headers?: Readonly<Record<string, string>>,
  ): Promise<ShownPage>
  /** Sends a form with files. */
  upload(
    path: string,
    fields: Readonly<Record<string, string | Blob | readonly Blob[]>>,
  ): Promise<ShownPage>
}

const ORIGIN = 'http://console.test'
const FORM_COOKIE = 'test'

/**
 * Opens a service, filled by default, and its console. The console is viewed as `viewer`, by
 * default account A with all scopes.
 */
export async function openTestConsole(
  options: TestServiceOptions & { readonly viewer?: Viewer } = {},
): Promise<TestConsole> {
  const { viewer, ...given } = options
  return openConsoleOf(await openTestService(given), viewer)
}

/** Creates the console of an open service. */
export async function openConsoleOf(
  service: TestService,
  viewer?: Viewer | undefined,
): Promise<TestConsole> {
  const shown = viewer ?? { name: 'Ada', caller: service.caller }
  const { handle } = await createConsole({ app: service.app, authenticate: () => shown })
  const fetch = toFetchHandler(handle)
  const form_token = await toFormToken(FORM_COOKIE)

  async function send(path: string, init: RequestInit): Promise<ShownPage> {
    const headers = new Headers(init.headers)
    headers.set('host', 'console.test')
    headers.set('cookie', `__Host-api-discovery-form=${FORM_COOKIE}`)
    const response = await fetch(new Request(`${ORIGIN}${path}`, { ...init, headers }))
    const html = await response.text()
    return { status: response.status, headers: response.headers, html, text: toMainText(html) }
  }

  return {
    ...service,
    get: (path, headers = {}) => send(path, { headers }),
    post(path, fields, headers = {}) {
      const form = new URLSearchParams({ form_token })
      for (const [name, value] of Object.entries(fields)) {
        for (const each of typeof value === 'string' ? [value] : value) form.append(name, each)
      }
      return send(path, { method: 'POST', headers: { origin: ORIGIN, ...headers }, body: form })
    },
    upload(path, fields) {
      const form = new FormData()
      form.set('form_token', form_token)
      for (const [name, value] of Object.entries(fields)) {
        if (typeof value === 'string') form.set(name, value)
        else for (const each of value instanceof Blob ? [value] : value) form.append(name, each)
      }
      return send(path, { method: 'POST', headers: { origin: ORIGIN }, body: form })
    },
  }
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
}

function toMainText(html: string): string {
  const main = /<main[^>]*>([\s\S]*)<\/main>/.exec(html)?.[1] ?? ''
  return main
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity)
    .replace(/\s+/g, ' ')
    .trim()
}
