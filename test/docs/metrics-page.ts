import { createProcessGauges } from '../../adapters/cli/process-gauges.ts'
import { openTestService } from '../helpers/service.ts'
import { markdownTable, pageHead } from './write-markdown.ts'

const INTRO = `\`GET /metrics\` returns these metrics in the Prometheus text format. It requires the
scope \`admin\`.
`

/** `docs/reference/metrics.md`: names, types and help lines as \`GET /metrics\` returns them. */
export async function renderMetricsPage(): Promise<string> {
  const gauges = createProcessGauges(() => 0)
  const service = await openTestService({
    app: {
      readProcessGauges: () => gauges.read(),
      vulnerabilitySync: { sources: ['nvd'], nextRun: (from) => from + 1, sync: async () => [] },
    },
  })
  try {
    // Labels are visible once a request has been counted.
    await service.app.fetch(new Request('http://service.example/healthz'))
    const response = await service.app.fetch(
      new Request('http://service.example/metrics', { headers: { 'api-key': service.keys.all } }),
    )
    const text = await response.text()
    const types = new Map(
      [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => [name, type]),
    )
    const rows = [...text.matchAll(/^# HELP (\S+) (.+)$/gm)].map(([, name = '', help = '']) => [
      `\`${name}\``,
      types.get(name) ?? '',
      [...new Set(findLabels(text, name))].map((label) => `\`${label}\``).join(', '),
      help,
    ])
    return `${pageHead('Metrics', INTRO)}\n${markdownTable(['Metric', 'Type', 'Labels', 'Meaning'], rows)}`
  } finally {
    await service.close()
    gauges.close()
  }
}

function findLabels(text: string, name: string): readonly string[] {
  const lines = text.matchAll(new RegExp(`^${name}(?:_bucket|_sum|_count)?\\{(.*)\\} `, 'gm'))
  return [...lines].flatMap(([, labels = '']) =>
    [...labels.matchAll(/([a-z_]+)="/g)].map(([, label = '']) => label),
  )
}
