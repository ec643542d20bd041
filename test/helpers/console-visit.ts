import { createScryptHasher } from '../../adapters/secret/scrypt.ts'
import { createConsole } from '../../adapters/web/console.ts'
import { createSealer } from '../../core/accounts/sealer.ts'
import type { ApiDiscoveryOptions } from '../../core/app-options.ts'
import { toFetchHandler } from '../../core/http/fetch.ts'
import type { HttpHandler } from '../../core/index.ts'
import type { Account, Scope } from '../../core/shared/account.ts'
import { strongRandom } from './random.ts'
import { openTestService, type TestService, type TestServiceOptions } from './service.ts'
import { PASSWORD } from './users.ts'

/** A response to a browser. */
export interface Seen {
  readonly status: number
  /** Redirect target; empty without a redirect. */
  readonly location: string
  readonly headers: Headers
  readonly html: string
  /** Every `set-cookie` line. */
  readonly cookies: readonly string[]
}

/** A browser with cookies but without scripts. */
export interface Browser {
  readonly jar: Map<string, string>
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Seen>
  /** Sends a form with the token of the last loaded page. */
  send(
    path: string,
    fields: Readonly<Record<string, string | readonly string[]>>,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Seen>
  /** Loads the login form and sends it. */
  logIn(name: string, password?: string): Promise<Seen>
}

/** A service whose users log in to the console. */
export interface Premises extends TestService {
  readonly handle: HttpHandler
  readonly account: Account
  /** Log lines as JSON. */
  readonly lines: readonly string[]
  open(address?: string): Browser
  /** Creates a user with the default password. */
  addUser(name: string, scopes: readonly Scope[], account?: Account): Promise<void>
}

const ORIGIN = 'https://apis.test'

/**
 * Opens a service, by default without examples, whose console has its own login. It uses the real
 * clock.
 */
export async function openPremises(origin = ORIGIN, hasExamples = false): Promise<Premises> {
  return openPremisesWith({}, { origin, hasExamples })
}

/** Path of the console, and initial data of its service. */
interface PremisesOptions extends Pick<TestServiceOptions, 'openStorage'> {
  readonly origin?: string
  readonly hasExamples?: boolean
}

/** Opens a console with other service options. */
export async function openPremisesWith(
  app: Partial<ApiDiscoveryOptions>,
  given: PremisesOptions = {},
): Promise<Premises> {
  const { origin = ORIGIN, hasExamples = false, openStorage } = given
  const lines: string[] = []
  const logger = { log: (...event: unknown[]) => void lines.push(JSON.stringify(event)) }
  const service = await openTestService({
    isEmpty: !hasExamples,
    ...(openStorage ? { openStorage } : {}),
    app: {
      clock: () => Date.now(),
      logger,
      passwords: createScryptHasher({ costLog2: 4 }),
      sealer: createSealer({ current: new Uint8Array(32).fill(7) }, strongRandom),
      random: strongRandom,
      ...app,
    },
  })
  const { handle } = await createConsole({ app: service.app, logger })
  const { account } = service.caller
  return {
    ...service,
    handle,
    account,
    lines,
    open: (address = '192.0.2.1') => openBrowser(handle, { origin, address }),
    async addUser(name, scopes, of = account) {
      await service.app.users.createUser({ name, password: PASSWORD, account: of, scopes })
    },
  }
}

function openBrowser(
  handle: HttpHandler,
  { origin, address }: { readonly origin: string; readonly address: string },
): Browser {
  const ask = toFetchHandler(handle)
  const jar = new Map<string, string>()
  let token = ''

  async function load(path: string, init: RequestInit): Promise<Seen> {
    const headers = new Headers(init.headers)
    headers.set('host', new URL(origin).host)
    headers.set('cookie', [...jar].map(([name, value]) => `${name}=${value}`).join('; '))
    const request = new Request(`${origin}${path}`, { ...init, headers })
    const response = await ask(request, { clientAddress: address })
    const cookies = response.headers.getSetCookie()
    for (const line of cookies) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (/Max-Age=0/.test(line)) jar.delete(name)
      else jar.set(name, value)
    }
    const html = await response.text()
    token = /name="form_token" value="([^"]+)"/.exec(html)?.[1] ?? token
    const location = response.headers.get('location') ?? ''
    return { status: response.status, location, headers: response.headers, html, cookies }
  }

  const browser: Browser = {
    jar,
    get: (path, headers = {}) => load(path, { headers }),
    send(path, fields, headers = {}) {
      const form = new URLSearchParams('form_token' in fields ? {} : { form_token: token })
      for (const [name, value] of Object.entries(fields)) {
        for (const each of typeof value === 'string' ? [value] : value) form.append(name, each)
      }
      const sent = { origin, 'sec-fetch-site': 'same-origin', ...headers }
      return load(path, { method: 'POST', headers: sent, body: form })
    },
    async logIn(name, password = PASSWORD) {
      await browser.get('/console/login')
      return browser.send('/console/login', { name, password })
    },
  }
  return browser
}
