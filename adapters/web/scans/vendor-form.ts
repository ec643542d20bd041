import { PROBLEM_TYPES } from '../../../core/http/problems.ts'
import { ServiceError } from '../../../core/index.ts'
import { type Html, html } from '../../../core/shared/html.ts'
import { foldName } from '../../../core/shared/text.ts'
import { IMPORTS_PATH } from '../imports/paths.ts'
import type { PageResult, ViewedRequest } from '../page.ts'
import { renderGroupsPage } from './groups-page.ts'
import { type ScanKind, toScanPath } from './paths.ts'

/**
 * Adds the vendor of a domain to the catalogue, with the domain as its homepage. Then matches the
 * scan again, so that hosts of the domain belong to the vendor.
 */
export async function handleVendor(request: ViewedRequest, kind: ScanKind): Promise<PageResult> {
  const { app, form, params, viewer } = request
  const { account } = viewer.caller
  const { scan } = await app.scans.getCounted(account, { kind, id: params.id ?? '' })
  try {
    const domain = form.text('domain').toLowerCase()
    const homepage = `https://${domain}/`
    if (!/^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/.test(domain) || !URL.canParse(homepage)) {
      throw new ServiceError('invalid_input', 'Invalid domain: must be a host name')
    }
    const name = form.text('vendor').trim()
    const vendor = await request.call('createVendor', { body: { name, homepage } })
    await app.scans.rematch(account, scan)
    const owner = `1${vendor.name}`
    const group = await app.scans.findUsageGroup(account, {
      scan,
      group: { apiId: undefined, owner },
    })
    const query = new URLSearchParams({ done: group ? 'vendor' : 'no-vendor', of: owner })
    return { kind: 'redirect', to: `${toScanPath(scan)}?${query}` }
  } catch (error) {
    if (!(error instanceof ServiceError) || PROBLEM_TYPES[error.code].status >= 500) throw error
    const message = await explainVendorError(request, error)
    const draft = {
      status: PROBLEM_TYPES[error.code].status,
      error: html`Cannot add the vendor: ${message}`,
      ...{ uses: [], groups: [], reason: '' },
    }
    return renderGroupsPage(request, { kind, query: new URLSearchParams(), draft })
  }
}

async function explainVendorError(
  request: ViewedRequest,
  error: ServiceError,
): Promise<Html | string> {
  const issue = error.issues[0]
  if (issue) return `the name ${issue.message}`
  return (error.code === 'conflict' && (await explainExistingVendor(request))) || error.message
}

/** A vendor has a single homepage: hosts of further domains require the description of an API. */
async function explainExistingVendor(request: ViewedRequest): Promise<Html | undefined> {
  const { form } = request
  const name = form.text('vendor').trim()
  const { vendors } = await request.call('searchVendors', { q: name, page: 1, size: 1 })
  const [found] = vendors
  if (found === undefined || foldName(found.name) !== foldName(name)) return undefined
  const query = new URLSearchParams({ vendor: found.name })
  return html`"${found.name}" is already in the catalogue, ${found.homepage ? html`with the homepage ${found.homepage}` : 'without a homepage'}, and a vendor has one homepage. To assign hosts of ${form.text('domain')} to it, <a href="${IMPORTS_PATH}/new?${query}">import the description of an API</a> that names them as its servers.`
}
