import { ServiceError } from '../../../core/index.ts'
import { html } from '../../../core/shared/html.ts'
import { SESSION_COOKIE } from '../cookies.ts'
import { CONSOLE, type Page, type PageRequest, type PageResult } from '../page.ts'
import { field, postForm } from '../parts/form.ts'
import { note } from '../parts/text.ts'
import { renderPlainHttpNote } from './plain-http.ts'

const PATH = `${CONSOLE}/login`

/** Shows the log-in form. Redirects if the user is already logged in. */
export const loginPage: Page = {
  method: 'GET',
  path: '/login',
  access: 'public',
  handle: ({ viewer, ...request }: PageRequest) => {
    const next = parseNextPath(request.query.get('next') ?? '')
    return viewer ? { kind: 'redirect', to: next } : renderLogInPage(request, { next })
  },
}

/** Starts a new session, whatever session the browser had before. */
export const logInForm: Page = {
  method: 'POST',
  path: '/login',
  access: 'public',
  maxBodyBytes: 64 * 1024,
  handle: async (request: PageRequest) => {
    const { app, form, clientAddress } = request
    const next = parseNextPath(form.text('next'))
    const name = form.text('name')
    try {
      const password = form.text('password')
      const { token } = await app.users.logIn({ name, password, clientAddress })
      await endSession(request)
      return { kind: 'redirect', to: next, cookie: { name: SESSION_COOKIE, value: token } }
    } catch (error) {
      return renderLogInPage(request, { next, name, ...toLogInError(error) })
    }
  },
}

/** Ends the session in the database and in the browser. */
export const logOutForm: Page = {
  method: 'POST',
  path: '/logout',
  access: 'public',
  maxBodyBytes: 16 * 1024,
  handle: async (request: PageRequest) => {
    await endSession(request)
    const cookie = { name: SESSION_COOKIE, value: '', maxAge: 0 } as const
    return { kind: 'redirect', to: `${PATH}?done=logout`, cookie }
  },
}

/** Ends the session that a new one replaces: it must not stay valid without a browser. */
export async function endSession({ app, session }: PageRequest): Promise<void> {
  if (session !== undefined) await app.users.logOut(session)
}

function toLogInError(error: unknown): { readonly status: number; readonly error: string } {
  const code = error instanceof ServiceError ? error.code : undefined
  const wait = error instanceof ServiceError ? error.retryAfter : undefined
  if (code === 'unauthenticated') return { status: 401, error: 'Incorrect user name or password.' }
  if (code === 'overloaded') {
    return { status: 503, error: 'Too many log-ins at the moment. Try again in a minute.' }
  }
  if (code !== 'too_many_requests') throw error
  return {
    status: 429,
    error: `Too many failed attempts. Try again in ${formatWait(wait ?? 60)}.`,
  }
}

function formatWait(seconds: number): string {
  if (seconds > 90) return `${Math.ceil(seconds / 60)} minutes`
  return seconds === 1 ? '1 second' : `${seconds} seconds`
}

function renderLogInPage(
  request: Pick<PageRequest, 'query' | 'formToken' | 'origin' | 'serviceUrl' | 'command'>,
  options: {
    readonly next: string
    readonly name?: string
    readonly status?: number
    readonly error?: string
  },
): PageResult {
  const { next, name, status = 200, error } = options
  const isOut = request.query.get('done') === 'logout' && error === undefined
  const body = html`<h1>Log in</h1>
${isOut ? note('You are logged out.', 'good') : ''}${error === undefined ? '' : note(error, 'bad')}
${renderPlainHttpNote(request)}
${postForm({
  action: PATH,
  formToken: request.formToken,
  content: html`<input type="hidden" name="next" value="${next}">
${field({ name: 'name', label: 'User name', value: name, isRequired: true, autocomplete: 'username', more: html`autocapitalize="none" spellcheck="false" maxlength="200"` })}
${field({ name: 'password', label: 'Password', type: 'password', isRequired: true, autocomplete: 'current-password' })}
<button>Log in</button>`,
})}
<details><summary>No user yet, or password forgotten?</summary>
<p>A service without users prints a link for the first user when it starts. Operators create further links: <code>${request.command} users invite --account NAME</code> for a new user, <code>${request.command} users reset NAME</code> for a new password.</p></details>`
  return { kind: 'page', title: 'Log in', body, status }
}

/** Pages that are no useful destination after a log-in. */
const EXCLUDED_PATHS = /^\/console\/(login|logout|welcome)(\/|$)/

/**
 * Returns the page requested before the log-in if it is part of the console; otherwise the start
 * page.
 */
export function parseNextPath(text: string): string {
  const start = `${CONSOLE}/`
  const base = 'http://console.invalid'
  if (!text.startsWith(start) || !URL.canParse(text, base)) return start
  // Parse it as browsers do: `..` is resolved, and backslashes become slashes.
  const { origin, pathname, search } = new URL(text, base)
  return origin === base && pathname.startsWith(start) && !EXCLUDED_PATHS.test(pathname)
    ? pathname + search
    : start
}
