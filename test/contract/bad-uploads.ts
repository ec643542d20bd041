import type { BadInputCase } from './bad-input-case.ts'
import { VALID_REQUESTS } from './valid-requests.ts'
import type { WireRequest } from './ways.ts'

const LONG = 'x'.repeat(2_000)
const upload = VALID_REQUESTS.uploadDescription

function uploadWith(
  name: string,
  change: Partial<WireRequest>,
  expected: Partial<BadInputCase>,
): BadInputCase {
  const headers = { ...upload.headers, ...change.headers }
  return { name, request: { ...upload, ...change, headers }, status: 400, ...expected }
}

function parts(...names: readonly string[]): string {
  const content = names.map(
    (name) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n{}\r\n`,
  )
  return `${content.join('')}--b--\r\n`
}

/** Bad input of the upload (Specification 4.6). */
export const BAD_UPLOADS: readonly BadInputCase[] = [
  uploadWith('no file', { body: '' }, { code: 'invalid_input', errors: ['file'] }),
  uploadWith('an empty file', { body: 'file=' }, { code: 'invalid_input', errors: ['file'] }),
  uploadWith(
    'an empty part',
    {
      body: '--b\r\nContent-Disposition: form-data; name="file"; filename=""\r\n\r\n\r\n--b--\r\n',
    },
    { code: 'invalid_input', errors: ['file'] },
  ),
  uploadWith(
    'another part',
    { body: parts('document') },
    { code: 'invalid_input', errors: ['file'] },
  ),
  uploadWith(
    'the file twice',
    { body: parts('file', 'file') },
    { code: 'invalid_input', errors: ['file'] },
  ),
  uploadWith(
    'a field twice',
    { body: parts('file', 'countries', 'countries') },
    { code: 'invalid_input', errors: ['countries'] },
  ),
  uploadWith(
    'too many parts',
    { body: parts(...Array.from({ length: 21 }, (_, index) => `p${index}`)) },
    { code: 'invalid_body' },
  ),
  uploadWith(
    'a part header that is too long',
    { body: parts('file').replace('name=', `x="${'y'.repeat(17_000)}"; name=`) },
    { code: 'invalid_body' },
  ),
  uploadWith(
    'multipart cut short',
    { body: '--b\r\nContent-Disposition: form-data; name="file"\r\n\r\n{}' },
    { code: 'invalid_body' },
  ),
  uploadWith(
    'multipart without boundary',
    { headers: { 'content-type': 'multipart/form-data' }, body: '{}' },
    { code: 'invalid_body' },
  ),
  uploadWith(
    'multipart of another boundary',
    { headers: { 'content-type': 'multipart/form-data; boundary=zzz' }, body: '{}' },
    { code: 'invalid_body' },
  ),
  uploadWith(
    'vendor and category that do not exist',
    { headers: { vendor: 'Nobody', category: 'None' } },
    { code: 'invalid_input', errors: ['vendor', 'category'] },
  ),
  uploadWith(
    'everything at once',
    { headers: { vendor: '', category: '%20', private: 'maybe' }, body: '' },
    { code: 'invalid_input', errors: ['file', 'vendor', 'category', 'private'] },
  ),
  uploadWith(
    'long names',
    { headers: { vendor: LONG, category: LONG } },
    { code: 'invalid_input', errors: ['vendor', 'category'] },
  ),
  uploadWith(
    'countries that are none',
    { target: `${upload.target}?countries=Chad` },
    { code: 'invalid_input', errors: ['countries'] },
  ),
  uploadWith(
    'base addresses that are none',
    { headers: { base_url: 'not an address' } },
    { code: 'invalid_input', errors: ['base_url'] },
  ),
  uploadWith(
    'a base address of another scheme',
    { headers: { base_url: 'file:///etc' } },
    { code: 'invalid_input', errors: ['base_url'] },
  ),
  uploadWith(
    'a text that is no description',
    { body: 'hello' },
    { status: 422, code: 'invalid_description' },
  ),
  uploadWith(
    'JSON cut short',
    { body: '{"openapi":"3.0.3"' },
    { status: 422, code: 'invalid_description' },
  ),
  uploadWith('a list', { body: '[]' }, { status: 422, code: 'invalid_description' }),
  uploadWith(
    'a PDF',
    { body: '%PDF-1.7\n%\u0001' },
    { status: 415, code: 'unsupported_media_type' },
  ),
  uploadWith(
    'nested too deeply',
    { body: `{"openapi":"3.0.3","x":${'['.repeat(2_000)}${']'.repeat(2_000)}}` },
    { status: 422, code: 'too_expensive' },
  ),
]
