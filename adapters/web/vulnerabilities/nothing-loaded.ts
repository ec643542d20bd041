import { type Html, html } from '../../../core/shared/html.ts'
import { GUIDES_PATH } from '../guides/guide-list.ts'
import { emptyState } from '../parts/text.ts'

/** Explains how to load vulnerabilities into an empty database. */
export function nothingLoaded(command: string): Html {
  return emptyState(
    'No vulnerabilities loaded yet',
    html`<p>The operator of this service loads them; the first load takes a while:</p><pre>${command} sync all</pre>
<p>Guide: <a href="${GUIDES_PATH}/vulnerabilities#load-the-data">Load the data</a></p>`,
  )
}
