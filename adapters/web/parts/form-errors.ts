import { PROBLEMS } from '../../../core/http/problems.ts'
import { ServiceError } from '../../../core/index.ts'
import { type Html, html } from '../../../core/shared/html.ts'
import { errorSummary } from './form.ts'

/** The errors of a form that was sent, for the top of the page and for each field. */
export interface FormErrors {
  /** Empty when there are none. */
  readonly summary: Html
  /** Of the response: 200 when there are no errors. */
  readonly status: number
  /** The error of a field, by its name. */
  of(name: string): string | undefined
}

/** The errors of a form that has not been sent. */
export const NO_ERRORS: FormErrors = { summary: html``, status: 200, of: () => undefined }

/**
 * Presents a refusal at the fields that it names. `labels` holds the label of each field of the
 * form by its name. Rethrows what the person cannot correct in the form.
 */
export function toFormErrors(error: unknown, labels: Readonly<Record<string, string>>): FormErrors {
  if (!(error instanceof ServiceError) || !CORRECTABLE.has(error.code)) throw error
  const errors = new Map<string, string>()
  const others: string[] = []
  for (const { name, message } of error.issues) {
    const field = Object.hasOwn(labels, name) ? name : (name.split('.')[0] ?? name)
    const label = Object.hasOwn(labels, field) ? labels[field] : undefined
    if (label === undefined) others.push(`${name} ${message}`)
    else {
      const former = errors.get(field)
      errors.set(field, former ? `${former}; ${message}` : `${label} ${message}`)
    }
  }
  const listed = [
    ...[...errors].map(([name, message]) => ({ message, fieldId: `field-${name}` })),
    ...others.map((message) => ({ message })),
  ]
  return {
    summary: errorSummary(listed.length > 0 ? listed : [{ message: error.message }]),
    status: PROBLEMS[error.code].status,
    of: (name) => errors.get(name),
  }
}

/** An error of one field of a form. */
export function toFieldError(name: string, message: string): ServiceError {
  const issues = [{ in: 'form' as const, name, message }]
  return new ServiceError('invalid_input', `${name} ${message}`, { issues })
}

const CORRECTABLE = new Set(['invalid_input', 'conflict', 'not_implemented'])
