import type { StoredImport } from '../../../core/catalogue/index.ts'
import { type Html, html } from '../../../core/shared/html.ts'
import { badge, formatNumber } from '../parts/text.ts'

/** Renders the outcome of an import as a badge. */
export function renderStateBadge({ outcome }: StoredImport): Html {
  if (outcome.kind === 'failed') return badge('Failed', 'bad')
  if (outcome.report.skipped > 0) return badge('Partly imported', 'warn')
  return badge('Imported', 'good')
}

/** Summarises the changes of an import (`2 added, 1 removed`), or its failure. */
export function formatOutcome({ outcome }: StoredImport): string {
  if (outcome.kind === 'failed') return outcome.message
  const { added, changed, removed, skipped } = outcome.report
  const parts = [
    [added, 'added'],
    [changed, 'changed'],
    [removed, 'removed'],
    [skipped, 'skipped'],
  ] as const
  const nonZero = parts.filter(([number]) => number > 0)
  if (nonZero.length === 0) return 'No changes'
  return nonZero.map(([number, word]) => `${formatNumber(number)} ${word}`).join(', ')
}

/**
 * Summarises the contents of a description (`4 operations, 1 webhook`). The counts of a report add
 * up to these.
 */
export function formatContents(report: {
  readonly operations: number
  readonly webhooks: number
  readonly callbacks: number
}): string {
  const { operations, webhooks, callbacks } = report
  const parts = [
    `${formatNumber(operations)} ${operations === 1 ? 'operation' : 'operations'}`,
    webhooks > 0 && `${formatNumber(webhooks)} ${webhooks === 1 ? 'webhook' : 'webhooks'}`,
    callbacks > 0 && `${formatNumber(callbacks)} ${callbacks === 1 ? 'callback' : 'callbacks'}`,
  ]
  return parts.filter((part) => part !== false).join(', ')
}

/** Returns the display name of an import: the API's name, or the file's. */
export function formatImportName({ apiName, fileName, vendorName }: StoredImport): string {
  return apiName || fileName || (vendorName && `A description of ${vendorName}`) || 'A description'
}

/** Renders the account that imported the description. */
export function renderImporter({ by }: StoredImport): Html {
  return by ? html`${by.name}` : html`<span class="soft">the operator</span>`
}
