import type { ShownUsageGroup, UsageOwner, UsedApi } from '../../../core/scans/index.ts'
import { type Html, html } from '../../../core/shared/html.ts'
import { badge, formatNumber } from '../parts/text.ts'
import type { ScanKind } from './paths.ts'

/** Returns the name of a group's API, vendor or domain. */
export function toGroupName(
  belongsTo: UsageOwner | undefined,
  api: Pick<UsedApi, 'name'> | undefined,
): string {
  if (!belongsTo) return api?.name ?? 'No longer in the catalogue'
  if (belongsTo.kind === 'address') return 'Addresses without a host name'
  if (belongsTo.kind === 'apis') return `${belongsTo.name}: one of several APIs`
  return belongsTo.kind === 'unknown' ? 'Unknown host' : belongsTo.name
}

/** Renders the review status of the usages in a group. */
export function renderGroupApproval({
  usages,
  unreviewed,
  rejected,
  approved,
}: ShownUsageGroup): Html {
  if (approved === usages) return badge('approved', 'good')
  if (rejected === usages) return badge('rejected', 'bad')
  if (unreviewed === usages) return badge('unreviewed')
  return html`<div class="badges">${rejected > 0 ? badge(`${formatNumber(rejected)} rejected`, 'bad') : ''}${
    approved > 0 ? badge(`${formatNumber(approved)} approved`, 'good') : ''
  }${unreviewed > 0 ? badge(`${formatNumber(unreviewed)} unreviewed`) : ''}</div>`
}

/** Formats a number of usages: `2 endpoints` for a project, `2 hosts and URLs` for a network. */
export function formatUsageCount(kind: ScanKind, value: number): string {
  if (kind === 'project') return `${formatNumber(value)} ${value === 1 ? 'endpoint' : 'endpoints'}`
  return `${formatNumber(value)} ${value === 1 ? 'host or URL' : 'hosts and URLs'}`
}
