import type { CallOutput, Contract } from '../../../core/index.ts'
import { type Html, html } from '../../../core/shared/html.ts'
import { table } from '../parts/table.ts'
import { badge, timeElement } from '../parts/text.ts'

type Status = CallOutput<Contract['getVulnerabilityStatus']>
type Source = Status['sources'][number]

/** Shows the sources of the vulnerability data with the results of their scheduled syncs. */
export function sourceSection(
  { sources, sync }: Pick<Status, 'sources' | 'sync'>,
  command: string,
): Html {
  return html`<h2 id="syncs">Vulnerability data</h2>
${
  sources.length === 0
    ? html`<p>Nothing has been loaded yet.</p>`
    : table({
        caption: 'Times in UTC',
        columns: [
          { title: 'Source', isHead: true, cell: ({ name }: Source) => name },
          { title: 'Loaded', isTight: true, cell: ({ loaded_at }) => timeOf(loaded_at) },
          {
            title: 'Newest data',
            isTight: true,
            cell: ({ data_at }) => data_at && timeOf(data_at),
          },
          {
            title: 'Last scheduled sync',
            isTight: true,
            cell: ({ attempted_at }) => timeOf(attempted_at),
          },
          { title: 'Result', cell: resultBadge },
        ],
        rows: sources,
      })
}
<p>${describeSyncs(sync, command)}</p>`
}

function describeSyncs(sync: Status['sync'], command: string): Html {
  if (!sync) {
    return html`No syncs are scheduled. Start the server with <code>${command} serve --sync daily</code>.`
  }
  if (sync.running) return html`A sync is running.`
  return sync.next_at === null
    ? html`This server has no schedule.`
    : html`The next sync starts at ${timeOf(sync.next_at)}.`
}

function resultBadge({ attempted_at: at, error }: Source): Html | string {
  if (error) return html`${badge('Failed', 'bad')} ${error}`
  return at ? badge('Done', 'good') : ''
}

function timeOf(text: string | null | undefined): Html {
  return timeElement(text ? Date.parse(text) : undefined)
}
