import { PROBLEMS } from '../../../core/http/problems.ts'
import { ServiceError } from '../../../core/index.ts'
import type { PageAnswer, ViewedRequest } from '../page.ts'
import { showGroups } from './groups-page.ts'
import { type ScanKind, toScanPath } from './paths.ts'

/**
 * Adds the vendor of a domain to the catalogue, with the domain as its homepage, and matches the
 * scan again: its hosts below that domain belong to the vendor then.
 */
export async function answerVendor(request: ViewedRequest, kind: ScanKind): Promise<PageAnswer> {
  const { app, form, params, viewer } = request
  const { account } = viewer.caller
  const { scan } = await app.scans.getCounted(account, { kind, id: params.id ?? '' })
  try {
    const domain = form.text('domain').toLowerCase()
    const homepage = `https://${domain}/`
    if (!/^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/.test(domain) || !URL.canParse(homepage)) {
      throw new ServiceError('invalid_input', 'The domain is not a host name')
    }
    const name = form.text('vendor').trim()
    const vendor = await request.call('createVendor', { body: { name, homepage } })
    await app.scans.matchAnew(account, scan)
    const owner = `1${vendor.name}`
    const group = await app.scans.findUseGroup(account, {
      scan,
      group: { apiId: undefined, owner },
    })
    const query = new URLSearchParams({ done: group ? 'vendor' : 'no-vendor', of: owner })
    return { kind: 'redirect', to: `${toScanPath(scan)}?${query}` }
  } catch (error) {
    if (!(error instanceof ServiceError) || PROBLEMS[error.code].status >= 500) throw error
    const issue = error.issues[0]
    const reason = issue ? `the name ${issue.message}` : error.message
    const draft = {
      status: PROBLEMS[error.code].status,
      error: `Cannot enter the vendor: ${reason}`,
      ...{ uses: [], groups: [], reason: '' },
    }
    return showGroups(request, { kind, query: new URLSearchParams(), draft })
  }
}
