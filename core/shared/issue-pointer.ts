import type * as v from 'valibot'

/** Where in a document an issue is, as a JSON pointer (RFC 6901); empty for the document. */
export function toIssuePointer({ path }: v.BaseIssue<unknown>): string {
  const names = (path ?? []).map(({ key }) =>
    String(key).replaceAll('~', '~0').replaceAll('/', '~1'),
  )
  return names.map((name) => `/${name}`).join('')
}
