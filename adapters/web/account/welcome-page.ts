import type { Invitation } from '../../../core/accounts/index.ts'
import { ServiceError } from '../../../core/index.ts'
import { html } from '../../../core/shared/html.ts'
import { SESSION_COOKIE } from '../cookies.ts'
import { CONSOLE, type Page, type PageRequest, type PageResult } from '../page.ts'
import { field, postForm } from '../parts/form.ts'
import { note, timeElement } from '../parts/text.ts'
import { endSession } from './login-page.ts'
import { renderPlainHttpNote } from './plain-http.ts'
import { renderScopeList } from './scopes.ts'

const PATH = `${CONSOLE}/welcome`

/** Opens an invitation or reset link: a form for user name and password, or for a new password. */
export const welcomePage: Page = {
  method: 'GET',
  path: '/welcome',
  access: 'public',
  handle: async (request: PageRequest) => {
    const token = request.query.get('token') ?? ''
    const invitation = await request.app.users.findInvitation(token)
    return invitation
      ? renderWelcomePage(request, { token, invitation })
      : renderInvalidLinkPage(request, token)
  },
}

/** Redeems the link and logs in. */
export const acceptForm: Page = {
  method: 'POST',
  path: '/welcome',
  access: 'public',
  maxBodyBytes: 64 * 1024,
  handle: async (request: PageRequest) => {
    const { app, form } = request
    const token = form.text('token')
    const invitation = await app.users.findInvitation(token)
    if (!invitation) return renderInvalidLinkPage(request, token)
    const name = form.text('name')
    const password = form.text('password')
    const again = (errors: WelcomeErrors, status: number) =>
      renderWelcomePage(request, { token, invitation, name, errors, status })
    if (password !== form.text('repeated')) {
      return again({ repeated: 'The passwords do not match' }, 400)
    }
    try {
      const opened = await app.users.acceptInvitation({ token, name, password })
      await endSession(request)
      // The overview requires the scope `read`.
      const first = invitation.scopes.includes('read') ? `/?done=${invitation.kind}` : '/account'
      const cookie = { name: SESSION_COOKIE, value: opened.token } as const
      return { kind: 'redirect', to: `${CONSOLE}${first}`, cookie }
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      if (error.code === 'not_found') return renderInvalidLinkPage(request, token)
      if (error.code === 'conflict') return again({ name: 'The name is taken' }, 409)
      if (error.code !== 'invalid_input') throw error
      const isPassword = error.message.startsWith('Cannot use the password')
      return again({ [isPassword ? 'password' : 'name']: error.message }, 400)
    }
  },
}

interface WelcomeErrors {
  readonly name?: string
  readonly password?: string
  readonly repeated?: string
}

function renderWelcomePage(
  request: PageRequest,
  options: {
    readonly token: string
    readonly invitation: Invitation
    readonly name?: string
    readonly errors?: WelcomeErrors
    readonly status?: number
  },
): PageResult {
  const { token, invitation, name, errors = {}, status = 200 } = options
  const { account, scopes, expiresAt, userName } = invitation
  const isReset = invitation.kind === 'reset'
  const title = isReset ? 'Set a new password' : 'Welcome'
  const body = html`<h1>${title}</h1>
${
  isReset
    ? html`<p class="lead">For the user <strong>${userName}</strong> of the account <strong>${account.name}</strong>. Setting a password ends all sessions of this user.</p>`
    : html`<p class="lead">You are invited to the account <strong>${account.name}</strong>. An account is shared by users who work together: only they can see its scans, calls, credentials and API keys.</p>
<h2>Your scopes</h2>
${renderScopeList(scopes)}
<h2>Your user</h2>`
}
${request.viewer ? note(html`You are logged in as ${request.viewer.name}. This form logs you out.`, 'warn') : ''}${renderPlainHttpNote(request)}
${postForm({
  action: PATH,
  formToken: request.formToken,
  content: html`<input type="hidden" name="token" value="${token}">
${
  isReset
    ? html`<input type="hidden" name="name" value="${userName}" autocomplete="username">`
    : field({
        name: 'name',
        label: 'User name',
        value: name,
        isRequired: true,
        autocomplete: 'username',
        error: errors.name,
        hint: 'You log in with it. Case is ignored.',
        more: html`autocapitalize="none" spellcheck="false" maxlength="100"`,
      })
}
${renderNewPasswordFields(errors)}
<button>${isReset ? 'Set password' : 'Create user'}</button>`,
})}
<p class="soft">The link can be used once. It expires on ${timeElement(expiresAt)} UTC.</p>`
  return { kind: 'page', title, body, status }
}

/** Renders the fields for a new password and its repetition. */
export function renderNewPasswordFields(errors: WelcomeErrors) {
  return html`${field({
    name: 'password',
    label: 'New password',
    type: 'password',
    isRequired: true,
    autocomplete: 'new-password',
    error: errors.password,
    hint: 'At least 12 characters, for example a few random words.',
  })}
${field({
  name: 'repeated',
  label: 'Repeat new password',
  type: 'password',
  isRequired: true,
  autocomplete: 'new-password',
  error: errors.repeated,
})}`
}

function renderInvalidLinkPage({ command }: PageRequest, token: string): PageResult {
  const reason =
    token === ''
      ? 'The link contains no token. Open the complete link, which ends in ?token= and the token.'
      : 'The link was already used, has expired or is incomplete. Each link works once.'
  const body = html`<h1>Invalid link</h1>
<p class="lead">${reason}</p>
<p>Operators of this service can create a new link: <code>${command} users invite --account NAME</code> for a new user, <code>${command} users reset NAME</code> for a new password.</p>
<p><a href="${CONSOLE}/login">Log in</a></p>`
  return { kind: 'page', title: 'Invalid link', body, status: 404 }
}
