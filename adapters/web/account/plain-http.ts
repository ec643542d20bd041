import { type Html, html } from '../../../core/shared/html.ts'
import { areCookiesKept } from '../cookies.ts'
import type { PageRequest } from '../page.ts'
import { note } from '../parts/text.ts'

/**
 * What stands above a log-in that cannot work: browsers keep its cookie over HTTPS alone, or from
 * their own machine. Empty where it can.
 */
export function plainHttpNote({
  origin,
  serviceUrl,
}: Pick<PageRequest, 'origin' | 'serviceUrl'>): Html {
  if (origin === undefined || areCookiesKept(origin)) return html``
  const { host, hostname, port, pathname } = new URL(serviceUrl)
  const there = port || '80'
  return note(
    html`<p><strong>Logging in cannot work over plain HTTP.</strong> This page came from <code>http://${host}</code>, and browsers keep the cookie of a log-in only over HTTPS or from their own machine.</p>
<p>Serve the console behind a proxy that speaks HTTPS, and name the proxy with <code>--trusted-proxies</code>. Or reach it through a tunnel, at <code>http://127.0.0.1:${there}${pathname.replace(/\/$/, '')}/console/</code>:</p>
<pre>ssh -N -L ${there}:127.0.0.1:${there} ${hostname}</pre>
<p>Where the address bar shows <code>https://</code>, the proxy is not named yet, and the log-in works.</p>`,
    'warn',
  )
}
