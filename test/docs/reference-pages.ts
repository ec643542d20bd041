import { POLICY_CONDITIONS } from '../../core/assessments/policy/policy-conditions.ts'
import { ASSESSMENT_RULES } from '../../core/assessments/rules.ts'
import { contract } from '../../core/contract.ts'
import type { Operation } from '../../core/http/operation.ts'
import { PROBLEM_TYPES } from '../../core/http/problems.ts'
import { SCOPES } from '../../core/shared/account.ts'
import { renderCliPage } from './cli-page.ts'
import { renderConfigurationPage } from './configuration-page.ts'
import { renderHttpPage } from './http-page.ts'
import { renderMetricsPage } from './metrics-page.ts'
import { markdownTable, pageHead } from './write-markdown.ts'

export const REFERENCE_FOLDER = new URL('../../docs/reference/', import.meta.url)

/** Every generated page by its file name. */
export const REFERENCE_PAGES: Readonly<Record<string, () => string | Promise<string>>> = {
  'http.md': renderHttpPage,
  'cli.md': renderCliPage,
  'configuration.md': renderConfigurationPage,
  'scopes.md': renderScopesPage,
  'errors.md': renderErrorsPage,
  'assessment.md': renderAssessmentPage,
  'metrics.md': renderMetricsPage,
}

function renderScopesPage(): string {
  const operations = Object.entries(contract as Readonly<Record<string, Operation>>)
  const rows = [...SCOPES, 'public'].map((scope) => {
    const names = operations.filter(([, operation]) => operation.scope === scope)
    return [`\`${scope}\``, names.map(([name]) => `\`${name}\``).join(', ')]
  })
  const intro = `An API key has one or more scopes. Each operation requires exactly one; the
operations of \`public\` require no key.
`
  return `${pageHead('Scopes', intro)}\n${markdownTable(['Scope', 'Operations'], rows)}`
}

function renderErrorsPage(): string {
  const rows = Object.entries(PROBLEM_TYPES).map(([code, { status, title }]) => [
    String(status),
    `\`${code}\``,
    title,
  ])
  const intro = `Every error is a problem document (RFC 9457) of the type \`application/problem+json\`.
Branch on \`code\`: codes are stable, while \`title\` and \`detail\` may be reworded. \`request_id\`
identifies the request in the log, and \`errors\` lists every invalid input with \`in\`, \`name\` and
\`message\`. Responses with 429 and 503 carry \`Retry-After\` when a retry makes sense.
`
  return `${pageHead('Error codes', intro)}\n${markdownTable(['Status', 'Code', 'Title'], rows)}`
}

function renderAssessmentPage(): string {
  const rules = ASSESSMENT_RULES.map(({ id, category, classification, applies }) => [
    `\`${id}\``,
    category,
    classification,
    applies,
  ])
  const conditions = POLICY_CONDITIONS.map(({ form, applies, unknown }) => [
    `\`${form}\``,
    applies,
    unknown,
  ])
  const intro = `An [assessment](../guides/agreements.md#assess-an-api) lists statements about an API. Each statement is
made by one of ${ASSESSMENT_RULES.length} rules. A policy denies or warns by conditions.
`
  return [
    `${pageHead('Assessment rules and policy conditions', intro)}\n## Rules\n\n`,
    markdownTable(['Rule', 'Category', 'Classification', 'Applies when'], rules),
    '## Policy conditions\n\n',
    markdownTable(['Condition', 'Applies when', 'If unknown'], conditions),
  ].join('')
}
