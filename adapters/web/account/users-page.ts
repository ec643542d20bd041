import type { Invitation, User } from '../../../core/accounts/index.ts'
import { type Scope, ServiceError } from '../../../core/index.ts'
import { type Html, html } from '../../../core/shared/html.ts'
import { CONSOLE, type Page, type PageResult, type ViewedRequest } from '../page.ts'
import { checkboxes, postForm } from '../parts/form.ts'
import { table } from '../parts/table.ts'
import { copyableText, note, timeElement } from '../parts/text.ts'
import { renderAccountNav } from './account-nav.ts'
import { hasAllScopes, readScopes, renderScopeBadges, scopeOptions } from './scopes.ts'

const PATH = `${CONSOLE}/account/users`
const common = { access: 'admin', section: 'account', maxBodyBytes: 16 * 1024 } as const

const DONE = new Map([
  ['removed', 'User removed and logged out. The API keys of the account remain valid.'],
  ['revoked', 'Link revoked.'],
])

/** Lists the users of the viewer's account, and invitation links that were not used yet. */
export const usersPage: Page = {
  ...common,
  method: 'GET',
  path: '/account/users',
  handle: (request) => renderUsersPage(request, {}),
}

/** Creates a link. It is shown once, in the response to the form, and never stored. */
export const inviteForm: Page = {
  ...common,
  method: 'POST',
  path: '/account/users',
  handle: async (request) => {
    const { app, viewer, form } = request
    const scopes = readScopes(form.all('scope'))
    if (scopes.length === 0)
      return renderUsersPage(request, { error: 'Choose at least one scope.' })
    if (!hasAllScopes(viewer.caller, scopes)) {
      throw new ServiceError('forbidden', 'A user cannot have more scopes than you')
    }
    const made = await app.users.invite({ account: viewer.caller.account, scopes })
    return renderUsersPage(request, { made })
  },
}

/** Revokes an open link of the account. */
export const revokeLinkForm: Page = {
  ...common,
  method: 'POST',
  path: '/account/invitations/:id/revoke',
  handle: async ({ app, viewer, params }) => {
    const { account } = viewer.caller
    await app.users.revokeInvitation({ id: params.id ?? '', account })
    return { kind: 'redirect', to: `${PATH}?done=revoked` }
  },
}

/** A new link. */
export interface NewLink {
  readonly token: string
  readonly invitation: Invitation
}

/** Shows a new link for copying: this is the only time. */
export function renderLink({ serviceUrl }: ViewedRequest, { token, invitation }: NewLink): Html {
  const text = `${serviceUrl}${CONSOLE}/welcome?token=${token}`
  const who = invitation.userName === undefined ? 'the new user' : invitation.userName
  return html`${note(html`Send this link to ${who}. It can be used once, expires on ${timeElement(invitation.expiresAt)} UTC, and is not shown again.`, 'good')}
${copyableText({ id: 'link', text })}`
}

async function renderUsersPage(
  request: ViewedRequest,
  options: { readonly made?: NewLink; readonly error?: string },
): Promise<PageResult> {
  const { app, viewer, query, formToken } = request
  const { account } = viewer.caller
  const { made, error } = options
  const users = await app.users.listUsers(account)
  const open = await app.users.listInvitations(account)
  const done = made || error ? undefined : DONE.get(query.get('done') ?? '')
  const body = html`<h1>Users</h1>
<p class="lead">Users of the account <strong>${account.name}</strong>.</p>
${renderAccountNav(request, 'users')}
${done === undefined ? '' : note(done, 'good')}${made ? renderLink(request, made) : ''}
${renderUserTable(users)}
${open.length > 0 ? html`<h2>Open links</h2>${renderOpenLinks(open, formToken)}` : ''}
<h2>Invitation</h2>
<p>Creates a link with which a new user chooses a name and a password.</p>
${error === undefined ? '' : note(error, 'bad')}
${postForm({
  action: PATH,
  formToken,
  content: html`${checkboxes({
    name: 'scope',
    legend: 'Scopes of the user',
    options: scopeOptions(viewer.caller),
    chosen: new Set<Scope>(error ? [] : ['read']),
  })}
<button>Create link</button>`,
})}`
  return { kind: 'page', title: 'Users', body, ...(error && { status: 400 }) }
}

function renderUserTable(users: readonly User[]): Html {
  return table({
    caption: 'Users of the account',
    rows: users,
    columns: [
      {
        title: 'Name',
        cell: ({ id, name }) => html`<a href="${PATH}/${encodeURIComponent(id)}">${name}</a>`,
        isHead: true,
      },
      { title: 'Scopes', cell: ({ scopes }) => renderScopeBadges(scopes) },
      { title: 'Created', cell: ({ createdAt }) => timeElement(createdAt), isTight: true },
      { title: 'Last log-in', cell: ({ lastLoginAt }) => timeElement(lastLoginAt), isTight: true },
    ],
  })
}

function renderOpenLinks(open: readonly Invitation[], formToken: string): Html {
  return table({
    caption: 'Unused links',
    rows: open,
    columns: [
      {
        title: 'For',
        cell: ({ userName }) =>
          userName === undefined ? 'a new user' : `password reset of ${userName}`,
        isHead: true,
      },
      { title: 'Scopes', cell: ({ scopes }) => renderScopeBadges(scopes) },
      { title: 'Expires', cell: ({ expiresAt }) => timeElement(expiresAt), isTight: true },
      {
        title: 'Revoke',
        isUnsorted: true,
        cell: ({ id }) =>
          postForm({
            action: `${CONSOLE}/account/invitations/${encodeURIComponent(id)}/revoke`,
            formToken,
            content: html`<button class="danger">Revoke</button>`,
          }),
      },
    ],
  })
}
