import { type Html, html } from '../../../core/shared/html.ts'
import { empty } from '../parts/text.ts'

/** Explains how vulnerabilities are loaded where there are none. */
export function nothingLoaded(command: string): Html {
  return empty(
    'No vulnerabilities are loaded yet',
    html`<p>Whoever runs this service loads them, the first time within minutes:</p><pre>${command} sync nvd
${command} sync kev
${command} sync epss</pre>`,
  )
}
