import type { Page } from '../page.ts'
import { agreementsForm, agreementsPage } from './agreements-page.ts'
import { apiPage } from './api-page.ts'
import {
  apiCredentialsPage,
  credentialsPage,
  removeCredentialForm,
  storeCredentialForm,
} from './credentials-page.ts'
import { endpointPage, tryPage } from './endpoint-page.ts'
import { saveResponsePage } from './save-response.ts'
import { searchPage } from './search-page.ts'

export const cataloguePages: readonly Page[] = [
  searchPage,
  apiPage,
  endpointPage,
  tryPage,
  saveResponsePage,
  apiCredentialsPage,
  storeCredentialForm,
  credentialsPage,
  removeCredentialForm,
  agreementsPage,
  agreementsForm,
]
