import type { CvssMetric } from '../../../core/index.ts'
import { type Html, html } from '../../../core/shared/html.ts'
import { table } from '../parts/table.ts'
import { explainVector } from './explain-vector.ts'
import { severityBadge } from './severity.ts'

/** Renders all scores of a record, each with its vector explained. */
export function metricsSection(metrics: readonly CvssMetric[]): Html {
  if (metrics.length === 0) {
    return html`<h2>Scores</h2><p>No CVSS score yet.</p>`
  }
  return html`<h2>Scores</h2>${metrics.map(metricDetails)}`
}

function metricDetails(metric: CvssMetric, index: number): Html {
  const { version, source, isPrimary, vector } = metric
  return html`<details${index === 0 ? html` open` : ''}><summary>${severityBadge(metric)} by ${source || 'an unnamed source'}${isPrimary ? '' : ' (secondary)'}</summary>
<p class="mono">${vector || 'No vector.'}</p>
${
  vector
    ? table({
        caption: `Metrics of vector ${index + 1}`,
        columns: [
          { title: 'Metric', isHead: true, cell: ({ name }) => name },
          { title: 'Value', cell: ({ meaning }) => meaning },
          { title: 'In the vector', cell: ({ text }) => html`<code>${text}</code>` },
        ],
        rows: explainVector(version, vector),
      })
    : ''
}</details>`
}
