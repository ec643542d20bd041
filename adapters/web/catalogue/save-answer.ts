import { ServiceError } from '../../../core/index.ts'
import { fromBase64Url, toBase64Url } from '../../../core/shared/base64url.ts'
import { type Html, html } from '../../../core/shared/html.ts'
import type { Page, ViewedRequest } from '../page.ts'
import { postForm } from '../parts/form.ts'
import type { TriedAnswer } from './try-call.ts'

/**
 * Gives back as a file what a page has shown of an answer: the bytes are in the form, so that no call
 * is made again and nothing of it is kept here.
 */
export const saveAnswerPage: Page = {
  method: 'POST',
  path: '/apis/:id/endpoints/:endpointId/answer',
  access: 'call',
  section: 'catalogue',
  answer({ form, params }) {
    const body = fromBase64Url(form.text('content'))
    if (!body) throw new ServiceError('invalid_body', 'The form does not hold an answer as shown')
    const name = (params.endpointId ?? '').replaceAll(/[^\w-]/g, '').slice(0, 40)
    return {
      kind: 'file',
      name: `answer-${name}.${toExtension(form.text('type'))}`,
      // Whatever it is, it is saved, not shown.
      mediaType: 'application/octet-stream',
      body,
    }
  },
}

/** A form that saves an answer as it came. */
export function saveForm(
  { formToken }: ViewedRequest,
  given: { readonly answer: TriedAnswer; readonly path: string },
): Html {
  const { answer, path } = given
  return postForm({
    action: `${path}/answer`,
    formToken,
    content: html`<input type="hidden" name="type" value="${answer.headers['content-type'] ?? ''}"><input type="hidden" name="content" value="${toBase64Url(answer.bytes)}">
<button class="second">Save the answer</button>`,
  })
}

/** Of what no program runs: the target says what type it is. */
function toExtension(mediaType: string): string {
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
