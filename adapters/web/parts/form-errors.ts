import { PROBLEM_TYPES } from '../../../core/http/problems.ts'
import { ServiceError } from '../../../core/index.ts'
import { type Html, html } from '../../../core/shared/html.ts'
import { errorSummary } from './form.ts'

/** The errors of a submitted form, for the top of the page and for each field. */
export interface FormErrors {
  /** Empty if there are none. */
  readonly summary: Html
  /** Status of the response; 200 without errors. */
  readonly status: number
  /** Returns the error of a field by name. */
  get(name: string): string | undefined
}

/** No errors: for a form that has not been submitted. */
export const NO_ERRORS: FormErrors = { summary: html``, status: 200, get: () => undefined }

/**
 * Shows an error at the fields that it names. `labels` maps each field of the form to its label.
 * Rethrows errors that the user cannot correct in the form.
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
    status: PROBLEM_TYPES[error.code].status,
    get: (name) => errors.get(name),
  }
}

/** Creates an error for one field of a form. */
export function toFieldError(name: string, message: string): ServiceError {
  const issues = [{ in: 'form' as const, name, message }]
  return new ServiceError('invalid_input', `${name} ${message}`, { issues })
}

const CORRECTABLE = new Set(['invalid_input', 'conflict', 'not_implemented'])
