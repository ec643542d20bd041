import * as v from 'valibot'
import { ServiceError } from '../../../core/index.ts'
import type { CountedScan, ShownUsage } from '../../../core/scans/index.ts'
import { formatCodeLocation, formatCount } from '../../../core/shared/text.ts'
import { defineTool, type ToolContext } from '../define-tool.ts'
import { cutText, describeRest, keepWithinWords } from '../present.ts'
import { integer, maxWords, nextPage, page, text } from './inputs.ts'

const usage = v.object({
  change: v.picklist(['added', 'removed', 'changed']),
  subject: v.string(),
  method: v.string(),
  vendor: v.string(),
  location: v.string(),
})

const LIMIT = 100

/** Compares two stored scans of a project or network. */
export const compareScans = defineTool({
  name: 'compare_scans',
  title: 'Compare scans',
  description:
    'Lists the third-party API usages that were added, removed or changed between two stored scans of one project or network.',
  input: v.object({
    scan_id: text(40, 'ID of the newer scan, from find_usages.'),
    before: v.optional(text(40, 'ID of the older scan; default: the scan before it.')),
    page,
    max_words: maxWords,
  }),
  output: v.object({
    before: v.string(),
    after: v.string(),
    num_changes: integer,
    next_page: nextPage,
    is_partial: v.boolean(),
    changes: v.array(usage),
  }),
  scope: 'read',
  effect: 'reads',
  async run({ scan_id, before, page, max_words }, context) {
    const { app, caller } = context
    const { scan } = await findScan(scan_id, context)
    const older = before ?? (await findPrevious(scan, context))
    if (older === undefined) {
      throw new ServiceError(
        'not_found',
        'No earlier scan of its project or network is known. Pass before',
      )
    }
    const { added, removed, changed, isPartial, pages } = await app.scans.compare(caller.account, {
      kind: scan.kind,
      before: older,
      after: scan_id,
      limit: LIMIT,
      page,
    })
    const all = [
      ...added.map((use) => toChange('added', use)),
      ...removed.map((use) => toChange('removed', use)),
      ...changed.map(({ use }) => toChange('changed', use)),
    ]
    const changes = keepWithinWords(all, max_words)
    const isCut = isPartial || changes.length < all.length
    return {
      data: {
        before: older,
        after: scan_id,
        num_changes: all.length,
        next_page: page < pages ? page + 1 : null,
        is_partial: isCut,
        changes,
      },
      summary: `${formatCount(added.length, 'usage')} added, ${removed.length} removed, ${changed.length} changed.${describeRest(changes, all)}${isPartial ? ' The console lists more.' : ''}${page < pages ? ` More: page ${page + 1}.` : ''}`,
      lines: changes.map(
        (each) =>
          `${each.change}: ${each.method} ${each.subject}${each.vendor === '' ? '' : ` (${each.vendor})`} ${each.location}`,
      ),
    }
  },
})

/** Finds a scan of a project, else of a network. Throws `not_found`. */
async function findScan(id: string, { app, caller }: ToolContext): Promise<CountedScan> {
  try {
    return await app.scans.getCounted(caller.account, { kind: 'project', id })
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'not_found') throw error
    return app.scans.getCounted(caller.account, { kind: 'network', id })
  }
}

/** Finds the ID of the scan before this one; undefined if this is the first. */
async function findPrevious(
  scan: CountedScan['scan'],
  { app, caller }: ToolContext,
): Promise<string | undefined> {
  const scans = await app.scans.listNewest(caller.account, { scan, limit: MAX_HISTORY })
  const at = scans.findIndex(({ number }) => number === scan.number)
  return at < 0 ? undefined : scans[at + 1]?.id
}

/** Scans that are searched for the one before. */
const MAX_HISTORY = 200

function toChange(
  change: 'added' | 'removed' | 'changed',
  { subject, method, vendorName, foundIn }: ShownUsage,
): v.InferOutput<typeof usage> {
  const [first] = foundIn
  return {
    change,
    subject: cutText(subject, 300),
    method: method.toUpperCase(),
    vendor: cutText(vendorName, 200),
    location: first ? formatCodeLocation(first) : '',
  }
}
