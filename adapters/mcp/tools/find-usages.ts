import * as v from 'valibot'
import { defineTool } from '../define-tool.ts'
import { cutText, describeRest, keepWithinWords } from '../present.ts'
import { apiId, integer, maxWords, SEARCH_AGAIN } from './inputs.ts'

const usage = v.object({
  kind: v.picklist(['project', 'network']),
  scan_id: v.string(),
  name: v.string(),
  scanned_at: v.string(),
  num_usages: integer,
  num_unreviewed: integer,
  num_approved: integer,
  num_rejected: integer,
})

/** Finds the projects and networks that use an API. */
export const findUsages = defineTool({
  name: 'find_usages',
  title: 'Find usages of an API',
  description:
    'Lists the scanned projects and networks of the account that use an API, newest scan first, with the state of their reviews. Next: compare_scans.',
  input: v.object({ api_id: apiId, max_words: maxWords }),
  output: v.object({
    api: v.string(),
    vendor: v.string(),
    is_partial: v.boolean(),
    usages: v.array(usage),
  }),
  scope: 'read',
  effect: 'reads',
  nextSteps: { not_found: SEARCH_AGAIN },
  async run({ api_id, max_words }, { app, caller }) {
    const found = await app.call('listApiUsages', { api_id }, caller)
    const all = [
      ...found.projects.map(({ project_id, project_name, datetime_created, ...counts }) => ({
        kind: 'project' as const,
        scan_id: project_id,
        name: cutText(project_name, 200),
        scanned_at: datetime_created,
        ...counts,
      })),
      ...found.networks.map(
        ({ instance_id, network_name, project_name, start_time, ...counts }) => ({
          kind: 'network' as const,
          scan_id: instance_id,
          name: cutText([project_name, network_name].filter((name) => name !== '').join(', '), 200),
          scanned_at: start_time,
          ...counts,
        }),
      ),
    ]
    const usages = keepWithinWords(all, max_words)
    const isPartial = found.is_partial || usages.length < all.length
    return {
      data: {
        api: cutText(found.api_name, 200),
        vendor: cutText(found.vendor_name, 200),
        is_partial: isPartial,
        usages,
      },
      summary:
        all.length === 0
          ? 'No scan of this account uses the API. Scans are stored by "scan project --submit" and "scan network --submit".'
          : `Scans that use the API: ${all.length}.${describeRest(usages, all)}${found.is_partial ? ' The console lists more.' : ''}`,
      lines: usages.map(
        (each) =>
          `${each.kind} ${each.name} (scan_id ${each.scan_id}, ${each.scanned_at}): ${each.num_usages} usages, ${each.num_approved} approved, ${each.num_rejected} rejected`,
      ),
    }
  },
})
