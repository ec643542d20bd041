import { ServiceError } from '../../../core/index.ts'
import { html } from '../../../core/shared/html.ts'
import { CONSOLE, type Page, type PageResult, type ViewedRequest } from '../page.ts'
import { field, postForm } from '../parts/form.ts'
import { note } from '../parts/text.ts'
import { renderAccountNav } from './account-nav.ts'
import { renderNewPasswordFields } from './welcome-page.ts'

const PATH = `${CONSOLE}/account/password`

const common = { path: '/account/password', access: 'viewer', section: 'account' } as const

/** Shows the form to change the password. */
export const passwordPage: Page = {
  ...common,
  method: 'GET',
  handle: (request) => renderPasswordPage(request, {}),
}

/** Changes the password and ends all other sessions of the user. */
export const passwordForm: Page = {
  ...common,
  method: 'POST',
  maxBodyBytes: 64 * 1024,
  handle: async (request) => {
    const { app, form, session: token = '' } = request
    const newPassword = form.text('password')
    if (newPassword !== form.text('repeated')) {
      return renderPasswordPage(request, { repeated: 'The passwords do not match' }, 400)
    }
    try {
      const oldPassword = form.text('old_password')
      await app.users.changePassword({ token, oldPassword, newPassword })
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      const { code, message } = error
      if (code === 'invalid_input') return renderPasswordPage(request, { password: message }, 400)
      if (code === 'forbidden') {
        return renderPasswordPage(request, { old: 'Incorrect current password' }, 403)
      }
      if (code === 'too_many_requests') return renderPasswordPage(request, { old: message }, 429)
      throw error
    }
    return { kind: 'redirect', to: `${PATH}?done=changed` }
  },
}

interface PasswordErrors {
  readonly old?: string
  readonly password?: string
  readonly repeated?: string
}

function renderPasswordPage(
  request: ViewedRequest,
  errors: PasswordErrors,
  status = 200,
): PageResult {
  const isDone = request.query.get('done') === 'changed' && status === 200
  const body = html`<h1>Password</h1>
${renderAccountNav(request, 'password')}
${isDone ? note('Password changed. You are logged out in all other browsers.', 'good') : ''}
<p>Changing the password logs you out in all other browsers. API keys keep working.</p>
${postForm({
  action: PATH,
  formToken: request.formToken,
  content: html`<input type="hidden" name="name" value="${request.viewer.name}" autocomplete="username">
${field({
  name: 'old_password',
  label: 'Current password',
  type: 'password',
  isRequired: true,
  autocomplete: 'current-password',
  error: errors.old,
})}
${renderNewPasswordFields(errors)}
<button>Change password</button>`,
})}`
  return { kind: 'page', title: 'Password', body, status }
}
