import { type Html, html } from '../../../core/shared/html.ts'
import {
  type CvssMetric,
  EXAMPLE_SOURCE,
  type ExtendedRecord,
  type Severity,
} from '../../../core/vulnerabilities/index.ts'
import { badge, type Tone } from '../parts/text.ts'

/** EPSS score from which a record counts as urgent: about one record in twenty. */
export const HIGH_EPSS = 0.1

/** Classifies a score by the bands of its CVSS version; `none` if there is no score or it is 0. */
export function toSeverity(metric: Pick<CvssMetric, 'version' | 'score'> | undefined): Severity {
  if (!metric || metric.score === 0) return 'none'
  const { version, score } = metric
  if (score < 4) return 'low'
  if (score < 7) return 'medium'
  return score < 9 || version === '2.0' ? 'high' : 'critical'
}

/** Renders a score in its colour: `Critical 9.8`. */
export function severityBadge(metric: CvssMetric | undefined): Html {
  const { label, tone } = SEVERITY_BADGES[toSeverity(metric)]
  return badge(
    metric
      ? html`${label} ${metric.score.toFixed(1)} <span class="soft">CVSS ${metric.version}</span>`
      : label,
    tone,
  )
}

/** Renders the other badges of a record: exploited, ransomware, high EPSS, rejected, example. */
export function urgencyBadges({ exploited, epss, record }: ExtendedRecord): Html {
  return html`${exploited ? html` ${badge('Known exploited', 'worst')}` : ''}${
    exploited?.isRansomware ? html` ${badge('Ransomware', 'worst')}` : ''
  }${epss && epss.score >= HIGH_EPSS ? html` ${badge(`EPSS ${formatPercent(epss.score)}`, 'warn')}` : ''}${
    record.isRejected ? html` ${badge('Rejected')}` : ''
  }${record.source === EXAMPLE_SOURCE ? html` ${badge('Example record', 'warn')}` : ''}`
}

/** Formats a share from 0 to 1 as `97.5 %`. A probability is never shown as certainty. */
export function formatPercent(share: number): string {
  if (share > 0.999) return '>99.9\u00a0%'
  return `${(share * 100).toFixed(share < 0.001 ? 3 : 1)}\u00a0%`
}

const SEVERITY_BADGES: Readonly<Record<Severity, { readonly label: string; readonly tone: Tone }>> =
  {
    critical: { label: 'Critical', tone: 'worst' },
    high: { label: 'High', tone: 'bad' },
    medium: { label: 'Medium', tone: 'warn' },
    low: { label: 'Low', tone: 'good' },
    none: { label: 'Not rated', tone: 'plain' },
  }
