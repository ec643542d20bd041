import { ServiceError } from '../../../core/index.ts'
import { fromBase64Url, toBase64Url } from '../../../core/shared/base64url.ts'
import { type Html, html } from '../../../core/shared/html.ts'
import type { Page, ViewedRequest } from '../page.ts'
import { postForm } from '../parts/form.ts'
import type { TriedResponse } from './try-call.ts'

/**
 * Returns a response shown on a page as a file. The form contains the bytes, so the call is not
 * repeated and nothing is stored on the server.
 */
export const saveResponsePage: Page = {
  method: 'POST',
  path: '/apis/:id/endpoints/:endpointId/answer',
  access: 'call',
  section: 'catalogue',
  handle({ form, params }) {
    const body = fromBase64Url(form.text('content'))
    if (!body)
      throw new ServiceError('invalid_body', 'Invalid form: it does not contain the response')
    const name = (params.endpointId ?? '').replaceAll(/[^\w-]/g, '').slice(0, 40)
    return {
      kind: 'file',
      name: `answer-${name}.${chooseExtension(form.text('type'))}`,
      // Always downloaded, never displayed.
      mediaType: 'application/octet-stream',
      body,
    }
  },
}

/** Renders a form to save a response unchanged. */
export function renderSaveForm(
  { formToken }: ViewedRequest,
  options: { readonly answer: TriedResponse; readonly path: string },
): Html {
  const { answer, path } = options
  return postForm({
    action: `${path}/answer`,
    formToken,
    content: html`<input type="hidden" name="type" value="${answer.headers['content-type'] ?? ''}"><input type="hidden" name="content" value="${toBase64Url(answer.bytes)}">
<button class="second">Save response</button>`,
  })
}

/**
 * Returns only extensions of files that no program executes, as the target controls the media type.
 */
function chooseExtension(mediaType: string): string {
  const [, name = ''] = /^[\w.+-]+\/(?:[\w.+-]*\+)?([a-z0-9]{2,5})\b/i.exec(mediaType) ?? []
  return EXTENSIONS.get(name.toLowerCase()) ?? 'bin'
}

const EXTENSIONS = new Map([
  ...['json', 'xml', 'yaml', 'csv', 'html', 'pdf', 'png', 'gif', 'webp', 'zip', 'gzip'].map(
    (name) => [name, name] as const,
  ),
  ['plain', 'txt'],
  ['jpeg', 'jpg'],
])
