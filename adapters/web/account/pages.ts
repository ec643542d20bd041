import type { Page } from '../page.ts'
import { accountPage, newKeyForm } from './account-page.ts'
import { callsPage } from './calls-page.ts'
import { keyPage, revokeKeyForm, rotateKeyForm, showKeyForm } from './key-page.ts'
import { policyForm, policyPage, removePolicyForm } from './key-policy-page.ts'
import { logInForm, loginPage, logOutForm } from './login-page.ts'
import { passwordForm, passwordPage } from './password-page.ts'
import { refusedPage } from './refused-page.ts'
import { removeForm, resetForm, scopesForm, userPage } from './user-page.ts'
import { inviteForm, revokeLinkForm, usersPage } from './users-page.ts'
import { acceptForm, welcomePage } from './welcome-page.ts'

export const accountPages: readonly Page[] = [
  loginPage,
  logInForm,
  logOutForm,
  welcomePage,
  acceptForm,
  accountPage,
  newKeyForm,
  keyPage,
  showKeyForm,
  rotateKeyForm,
  revokeKeyForm,
  policyPage,
  policyForm,
  removePolicyForm,
  passwordPage,
  passwordForm,
  callsPage,
  refusedPage,
  usersPage,
  inviteForm,
  revokeLinkForm,
  userPage,
  resetForm,
  scopesForm,
  removeForm,
]
