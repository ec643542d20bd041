import { type Html, html } from '../../../core/shared/html.ts'

/**
 * Attributes of a search form whose results a script loads while one types. A newer search takes
 * the place of one that is not answered yet: what is shown is of what stands in the form.
 */
export function liveSearch(given: {
  /** The form's action. */
  readonly path: string
  /** Id of the element that holds the results, on this page and on the loaded one. */
  readonly results: string
  /** The address of the page follows the search. */
  readonly isAddressed?: boolean
}): Html {
  const { path, results, isAddressed } = given
  return html` data-hx-get="${path}" data-hx-trigger="input delay:250ms, submit" data-hx-sync="replace" data-hx-target="#${results}" data-hx-select="#${results}" data-hx-swap="outerHTML"${isAddressed ? html` data-hx-push-url="true"` : ''}`
}

/** Attributes of an element that a script loads anew until it comes without them. */
export function livePart(given: {
  /** Of a page that holds the element. */
  readonly path: string
  readonly id: string
  readonly seconds: number
}): Html {
  const { path, id, seconds } = given
  return html` data-hx-get="${path}" data-hx-trigger="every ${seconds}s" data-hx-select="#${id}" data-hx-swap="outerHTML"`
}
