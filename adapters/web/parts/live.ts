import { type Html, html } from '../../../core/shared/html.ts'

/**
 * Attributes of a search form whose results a script loads while the user types. A newer search
 * replaces a pending one, so that the results match the form.
 */
export function liveSearchAttributes(options: {
  /** The form's action. */
  readonly path: string
  /** ID of the element with the results, on this page and on the loaded one. */
  readonly results: string
  /** Updates the page's URL with the search. */
  readonly isAddressed?: boolean
}): Html {
  const { path, results, isAddressed } = options
  return html` data-hx-get="${path}" data-hx-trigger="input delay:250ms, submit" data-hx-sync="replace" data-hx-target="#${results}" data-hx-select="#${results}" data-hx-swap="outerHTML"${isAddressed ? html` data-hx-push-url="true"` : ''}`
}

/** Attributes of an element that a script reloads until it no longer has them. */
export function pollingAttributes(options: {
  /** Path of a page that contains the element. */
  readonly path: string
  readonly id: string
  readonly seconds: number
}): Html {
  const { path, id, seconds } = options
  return html` data-hx-get="${path}" data-hx-trigger="every ${seconds}s" data-hx-select="#${id}" data-hx-swap="outerHTML"`
}
