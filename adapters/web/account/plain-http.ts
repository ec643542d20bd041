import { type Html, html } from '../../../core/shared/html.ts'
import { areCookiesStored } from '../cookies.ts'
import type { PageRequest } from '../page.ts'
import { note } from '../parts/text.ts'

/**
 * Warns if log-in cannot work: browsers store its cookie only over HTTPS or from the local machine.
 * Empty otherwise.
 */
export function renderPlainHttpNote({
  origin,
  serviceUrl,
}: Pick<PageRequest, 'origin' | 'serviceUrl'>): Html {
  if (origin === undefined || areCookiesStored(origin)) return html``
  const { host, hostname, port, pathname } = new URL(serviceUrl)
  const localPort = port || '80'
  return note(
    html`<p><strong>Log-in does not work over plain HTTP.</strong> This page was loaded from <code>http://${host}</code>, but browsers store the log-in cookie only over HTTPS or from the local machine.</p>
<p>Run the console behind an HTTPS proxy, and pass its address to <code>--trusted-proxies</code>. Or open a tunnel and use <code>http://127.0.0.1:${localPort}${pathname.replace(/\/$/, '')}/console/</code>:</p>
<pre>ssh -N -L ${localPort}:127.0.0.1:${localPort} ${hostname}</pre>
<p>If the address bar shows <code>https://</code>, only <code>--trusted-proxies</code> is missing: set it, and log-in works.</p>`,
    'warn',
  )
}
