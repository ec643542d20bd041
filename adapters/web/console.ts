import { ServiceError } from '../../core/errors.ts'
import { type FetchHandler, toFetchHandler } from '../../core/http/fetch.ts'
import {
  type ApiDiscovery,
  type Caller,
  type HostCaller,
  type HttpHandler,
  type HttpRequest,
  type HttpResponse,
  type Logger,
  stripPublicPath,
  toCaller,
} from '../../core/index.ts'
import { openAssets } from './assets.ts'
import { type Cookie, findCookie, SESSION_COOKIE, writeCookie } from './cookies.ts'
import { serveFile } from './files.ts'
import { NO_FORM, openForms } from './forms.ts'
import { PAGE_GUIDES } from './guides/guide-list.ts'
import { openGuides } from './guides/guides.ts'
import { renderDocument } from './layout.ts'
import {
  CONSOLE,
  type Page,
  type PageRequest,
  type PageResult,
  type Section,
  type ViewedRequest,
  type Viewer,
} from './page.ts'
import { listPages } from './pages.ts'
import {
  type Failure,
  logPageFailure,
  renderFailure,
  toFileResponse,
  toHttpResponse,
  toRedirect,
} from './responses.ts'
import { createPageRouter } from './router.ts'

/** A user of the console, authenticated by the host. */
export interface HostViewer {
  /** Name shown to the user. */
  readonly name: string
  readonly caller: HostCaller
}

/** Options of the console. */
export interface ConsoleOptions {
  readonly app: ApiDiscovery
  /**
   * The host's own login: returns the user of a request, or undefined. Default: users of the
   * service log in at the console, which then has an account area.
   */
  readonly authenticate?: (
    request: HttpRequest,
  ) => HostViewer | undefined | Promise<HostViewer | undefined>
  /** URL of the host's login, for users who are not logged in; they see an error by default. */
  readonly loginUrl?: string
  /** Base path of the service's operations, for commands to copy; default `/api`. */
  readonly basePath?: string
  /** Command that starts the command line, shown in examples; default `api-discovery`. */
  readonly command?: string
  /** Receives failures. */
  readonly logger?: Logger
}

/** The console of a service. */
export interface Console {
  /** Serves the console's paths and forwards all other requests to the service. */
  readonly handle: HttpHandler
  readonly fetch: FetchHandler
}

/**
 * Creates the console: pages below `/console/`, with the account area at `/console/account`. They
 * are also served below the path of the service's `publicUrl`, with which links start. Everything
 * is rendered on the server and works without scripts. Rejects if static files are missing.
 *
 * @example
 * ```ts
 * import { createConsole } from 'api-discovery/console'
 * import { serve } from 'api-discovery/serve'
 *
 * const { handle } = await createConsole({ app })
 * const server = await serve(handle, { port: 8080 })
 * console.log(`${server.url}/console/`)
 * ```
 */
export async function createConsole(options: ConsoleOptions): Promise<Console> {
  const { app, logger } = options
  const { origin: publicOrigin, path: publicPath } = app.publicAddress
  const basePath = (options.basePath ?? '/api').replace(/\/+$/, '')
  const command = options.command ?? 'api-discovery'
  const assets = await openAssets()
  const guides = openGuides()
  const isOwn = options.authenticate === undefined
  const ownLogin = `${publicPath}${CONSOLE}/login`
  const login = options.loginUrl ?? (isOwn ? ownLogin : undefined)
  const router = createPageRouter(listPages({ hasOwnLogIn: isOwn }))
  const hidden = new Set<Section>(isOwn ? [] : ['account'])

  async function handlePage(
    request: HttpRequest,
    { target, note }: { readonly target: string; readonly note: RequestNote },
  ): Promise<HttpResponse> {
    const url = new URL(target, 'http://console.invalid')
    const path = getPath(target).slice(CONSOLE.length)
    const origin = publicOrigin ?? request.origin
    const serviceUrl = `${origin ?? 'http://127.0.0.1:8080'}${publicPath}`
    const forms = await openForms(request, app.publicAddress)
    let viewer: Viewer | undefined
    let matched: Page | undefined
    const renderPage = (page: RenderedPage) =>
      toHttpResponse({
        status: page.status ?? 200,
        headers: { 'content-type': 'text/html; charset=utf-8', ...page.headers },
        cookie: toCookieLine(page.cookie ?? forms.cookie, publicPath),
        body: addPublicPath(
          renderDocument({
            title: page.title,
            body: page.body,
            section: matched?.section,
            guide: matched && PAGE_GUIDES[matched.path],
            viewer,
            formToken: forms.token,
            assets: assets.links,
            hidden,
            hasLogout: isOwn,
            docs: `${basePath}/docs`,
          }).text,
          publicPath,
        ),
      })
    try {
      const identified = await identify(options, request)
      viewer = identified.viewer
      note.caller = viewer && { userName: viewer.name, ...viewer.caller }
      const found = router.find(request.method, path)
      if (!('page' in found)) throw createPageNotFoundError(found.allow)
      const { page, params } = found
      matched = page
      note.operation = `${page.method} ${CONSOLE}${page.path}`
      if (page.access !== 'public' && !viewer)
        return toLogin(request, { login, next: login === ownLogin ? target : undefined })
      checkAccess(page, viewer)
      const { caller } = note
      const asked: PageRequest = {
        app,
        viewer,
        params,
        query: url.searchParams,
        form: page.method === 'POST' ? await forms.read(page.maxBodyBytes) : NO_FORM,
        formToken: forms.token,
        origin,
        serviceUrl,
        apiUrl: `${serviceUrl}${basePath}`,
        command,
        guides,
        session: identified.session,
        clientAddress: request.clientAddress,
        now: app.clock(),
        signal: request.signal,
        call: (name, input) => {
          if (caller) return app.call(name, input, caller)
          throw createLoginRequiredError()
        },
      }
      const result = await page.handle(asked as ViewedRequest)
      if (result.kind === 'page') return renderPage(result)
      if (result.kind !== 'redirect') return toFileResponse(result)
      return toRedirect(publicPath + result.to, toCookieLine(result.cookie, publicPath))
    } catch (error) {
      const failure = renderFailure(error)
      if (failure.status >= 500) logPageFailure(logger, { error, path })
      const headers = {
        ...failure.headers,
        ...(isScriptRequest(request) ? WHOLE_PAGE_HEADERS : {}),
      }
      return renderPage({ kind: 'page', ...failure, headers })
    }
  }

  const handle: HttpHandler = (request) => {
    const target = stripPublicPath(request.target, publicPath)
    const path = getPath(target)
    if (path === '/' || path === CONSOLE) return toRedirect(`${publicPath}${CONSOLE}/`)
    if (path === `${CONSOLE}/catalogue`) {
      const headers = { location: `${publicPath}${CONSOLE}/apis` }
      return toHttpResponse({ status: 308, headers, body: undefined })
    }
    const startedAt = app.clock()
    const note: RequestNote = { operation: 'none', caller: undefined }
    const conclude = (response: HttpResponse) => {
      const { status } = response
      app.recordRequest({ ...note, request, path, status, ms: app.clock() - startedAt })
      return response
    }
    const file = serveFile({ method: request.method, path }, assets)
    if (file) {
      note.operation = FILES
      return conclude(file)
    }
    if (!path.startsWith(`${CONSOLE}/`)) return app.handle(request)
    return handlePage(request, { target, note }).then(conclude)
  }
  return { handle, fetch: toFetchHandler(handle, logger ? { logger } : {}) }
}

/** Details of a page request for the log. */
interface RequestNote {
  operation: string
  caller: Caller | undefined
}

/** All static files are logged as one operation. */
const FILES = 'GET /console/assets'

function getPath(target: string): string {
  return target.split('?', 1)[0] ?? ''
}

/** A page with additional response headers. */
type RenderedPage = Extract<PageResult, { readonly kind: 'page' }> &
  Partial<Pick<Failure, 'headers'>>

/** Finds the user of a request: by the host's own login, or by the session of the console. */
async function identify({ app, authenticate }: ConsoleOptions, request: HttpRequest) {
  if (authenticate) {
    const viewer = await authenticate(request)
    const shown = viewer && { ...viewer, caller: toCaller(viewer.caller) }
    return { viewer: shown, session: undefined }
  }
  const { path } = app.publicAddress
  const session = findCookie(request.header('cookie'), { name: SESSION_COOKIE, path })
  const found = session === undefined ? undefined : await app.users.findLoggedIn(session)
  if (!found) return { viewer: undefined, session: undefined }
  return { viewer: { name: found.user.name, caller: found.caller }, session }
}

/** Redirects to the login. It then continues to `next`, but does not submit a form again. */
function toLogin(
  request: HttpRequest,
  { login, next }: { readonly login: string | undefined; readonly next: string | undefined },
): HttpResponse {
  if (login === undefined) throw createLoginRequiredError()
  const hasNext = next !== undefined && request.method !== 'POST'
  if (!isScriptRequest(request)) {
    return toRedirect(hasNext ? `${login}?next=${encodeURIComponent(next)}` : login)
  }
  // A script would insert the login into the page: redirect the whole page instead.
  const headers = { 'hx-redirect': login }
  return toHttpResponse({ status: 200, headers, body: undefined })
}

function toCookieLine(cookie: Cookie | undefined, publicPath: string): string | undefined {
  return cookie && writeCookie(cookie, publicPath)
}

function checkAccess({ access }: Page, viewer: Viewer | undefined): void {
  if (access === 'public' || access === 'viewer' || viewer?.caller.scopes.has(access)) return
  throw new ServiceError('forbidden', `You lack the scope "${access}"`)
}

function createLoginRequiredError(): ServiceError {
  return new ServiceError('unauthenticated', 'Log in to view this page')
}

function createPageNotFoundError(allow: readonly string[]): ServiceError {
  if (allow.length === 0) {
    return new ServiceError(
      'not_found',
      'Check the address: the page may have been moved or deleted',
    )
  }
  const headers = { allow: allow.join(', ') }
  return new ServiceError('method_not_allowed', 'The page does not accept this method', { headers })
}

function isScriptRequest(request: HttpRequest): boolean {
  return request.header('hx-request') === 'true'
}

/** Makes a script show a failure as a whole page: the requested element is missing from it. */
const WHOLE_PAGE_HEADERS = {
  'hx-retarget': '#main',
  'hx-reselect': '#main',
  'hx-reswap': 'outerHTML',
}

const LINK = /( (?:href|src|action|data-hx-get)=")(?=\/(?!\/))/g

/**
 * Prefixes the public path to the links of a page, which are relative to the service's root. Quotes
 * in text and values are escaped, so they cannot be mistaken for attributes.
 */
function addPublicPath(page: string, publicPath: string): string {
  return publicPath === '' ? page : page.replace(LINK, (start) => start + publicPath)
}
