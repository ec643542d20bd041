import { BODY_LIMITS } from '../../../core/http/body.ts'
import type { Page } from '../page.ts'
import { renderImportList } from './list-page.ts'
import { renderReport } from './report-page.ts'
import { handleUpload, handleUploadPage } from './upload-page.ts'

/** Additional bytes for form data around the file. */
const AROUND_BYTES = 64 * 1024

/** Pages for the import history, reports, and a form to import descriptions. */
export const importsPages: readonly Page[] = [
  { method: 'GET', path: '/imports', access: 'read', section: 'imports', handle: renderImportList },
  {
    method: 'GET',
    path: '/imports/new',
    access: 'import',
    section: 'imports',
    handle: handleUploadPage,
  },
  {
    method: 'POST',
    path: '/imports/new',
    access: 'import',
    section: 'imports',
    handle: handleUpload,
    maxBodyBytes: BODY_LIMITS.maxFileBytes + AROUND_BYTES,
  },
  { method: 'GET', path: '/imports/:id', access: 'read', section: 'imports', handle: renderReport },
]
