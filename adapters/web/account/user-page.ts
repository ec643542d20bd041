import type { User } from '../../../core/accounts/index.ts'
import { type Scope, ServiceError } from '../../../core/index.ts'
import { type Html, html } from '../../../core/shared/html.ts'
import { CONSOLE, type Page, type PageResult, type ViewedRequest } from '../page.ts'
import { checkboxes, postForm } from '../parts/form.ts'
import { factList, note, timeElement } from '../parts/text.ts'
import { hasAllScopes, readScopes, renderScopeList, scopeOptions } from './scopes.ts'
import { type NewLink, renderLink } from './users-page.ts'

const PATH = `${CONSOLE}/account/users`
const common = { access: 'admin', section: 'account', maxBodyBytes: 16 * 1024 } as const

/** Shows one user of the viewer's account. */
export const userPage: Page = {
  ...common,
  method: 'GET',
  path: '/account/users/:id',
  handle: async (request) => renderUserPage(request, { user: await findUser(request) }),
}

/** Creates a link for a new password, which is shown once. */
export const resetForm: Page = {
  ...common,
  method: 'POST',
  path: '/account/users/:id/reset',
  handle: async (request) => {
    const user = await findChangeableUser(request)
    return renderUserPage(request, {
      user,
      made: await request.app.users.inviteToReset(toUserReference(request, user)),
    })
  },
}

/** Changes the scopes of a user, with immediate effect. */
export const scopesForm: Page = {
  ...common,
  method: 'POST',
  path: '/account/users/:id/scopes',
  handle: async (request) => {
    const { app, viewer, form } = request
    const user = await findChangeableUser(request)
    const scopes = readScopes(form.all('scope'))
    if (scopes.length === 0) {
      return renderUserPage(request, {
        user,
        error: 'Choose at least one scope, or remove the user.',
      })
    }
    if (!hasAllScopes(viewer.caller, scopes)) {
      throw new ServiceError('forbidden', 'A user cannot have more scopes than you')
    }
    await app.users.changeScopes({ ...toUserReference(request, user), scopes })
    return { kind: 'redirect', to: `${toUserPath(user)}?done=scopes` }
  },
}

/** Removes the user, after confirmation. */
export const removeForm: Page = {
  ...common,
  method: 'POST',
  path: '/account/users/:id/remove',
  handle: async (request) => {
    const user = await findChangeableUser(request)
    if (request.form.text('confirmed') !== 'yes') {
      return renderUserPage(request, { user, error: 'Tick the box to remove the user.' })
    }
    await request.app.users.removeUser(toUserReference(request, user))
    return { kind: 'redirect', to: `${PATH}?done=removed` }
  },
}

function toUserReference({ viewer }: ViewedRequest, { id }: User) {
  return { userName: id, account: viewer.caller.account }
}

async function findUser({ app, viewer, params }: ViewedRequest): Promise<User> {
  const users = await app.users.listUsers(viewer.caller.account)
  const user = users.find(({ id }) => id === params.id)
  if (user) return user
  throw new ServiceError('not_found', 'User not found')
}

/** Finds a user that the viewer may change: not the viewer, and without further scopes. */
async function findChangeableUser(request: ViewedRequest): Promise<User> {
  const user = await findUser(request)
  const reason = explainForbidden(request, user)
  if (reason === undefined) return user
  throw new ServiceError('forbidden', reason)
}

function explainForbidden({ viewer }: ViewedRequest, { name, scopes }: User): string | undefined {
  if (name === viewer.name) return 'You cannot change or remove yourself: ask another administrator'
  if (hasAllScopes(viewer.caller, scopes)) return undefined
  return 'The user has scopes that you do not have: ask an administrator with these scopes'
}

function toUserPath({ id }: User): string {
  return `${PATH}/${encodeURIComponent(id)}`
}

function renderUserPage(
  request: ViewedRequest,
  options: { readonly user: User; readonly made?: NewLink; readonly error?: string },
): PageResult {
  const { user, made, error } = options
  const isDone = request.query.get('done') === 'scopes' && !made && error === undefined
  const reason = explainForbidden(request, user)
  const body = html`<p class="crumbs"><a href="${CONSOLE}/account">Account</a> › <a href="${PATH}">Users</a></p>
<h1>User ${user.name}</h1>
${isDone ? note('Scopes saved.', 'good') : ''}${made ? renderLink(request, made) : ''}${error === undefined ? '' : note(error, 'bad')}
${factList([
  ['Created', timeElement(user.createdAt)],
  ['Last log-in', timeElement(user.lastLoginAt)],
])}
${reason === undefined ? renderUserForms(request, user) : html`<h2>Scopes</h2>${renderScopeList(user.scopes)}${note(`${reason}.`)}`}`
  return { kind: 'page', title: `User ${user.name}`, body, ...(error && { status: 400 }) }
}

function renderUserForms({ viewer, formToken }: ViewedRequest, user: User): Html {
  const path = toUserPath(user)
  return html`<h2>Scopes</h2>
${postForm({
  action: `${path}/scopes`,
  formToken,
  content: html`${checkboxes({
    name: 'scope',
    legend: 'Scopes of the user',
    options: scopeOptions(viewer.caller),
    chosen: new Set<Scope>(user.scopes),
  })}
<button>Save</button>`,
})}
<h2>Password</h2>
<p>Creates a link with which the user sets a new password. The old password works until then.</p>
${postForm({ action: `${path}/reset`, formToken, content: html`<button class="second">Create reset link</button>` })}
<h2>Removal</h2>
<details><summary>Remove the user</summary>
<p>The user is logged out at once. The API keys of the account remain valid: revoke those that the user knew.</p>
${postForm({
  action: `${path}/remove`,
  formToken,
  content: html`<p><label><input type="checkbox" name="confirmed" value="yes" required> Remove ${user.name} permanently</label></p>
<button class="danger">Remove user</button>`,
})}</details>`
}
