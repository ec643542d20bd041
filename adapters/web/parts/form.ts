import { type Html, html } from '../../../core/shared/html.ts'

/** Renders a form that changes data. It contains the token without which it is rejected. */
export function postForm(form: {
  readonly action: string
  readonly formToken: string
  readonly content: unknown
  /** The form uploads files. */
  readonly hasFiles?: boolean
}): Html {
  const { action, formToken, content, hasFiles } = form
  return html`<form method="post" action="${action}"${hasFiles ? html` enctype="multipart/form-data"` : ''}>
<input type="hidden" name="form_token" value="${formToken}">
${content}
</form>`
}

/** Renders the errors of a form for the top of the page, focused, with links to the fields. */
export function errorSummary(
  errors: readonly { readonly message: Html | string; readonly fieldId?: string }[],
): Html {
  return html`<div class="note bad" role="alert" tabindex="-1" autofocus><strong>There is a problem</strong><ul class="plain">${errors.map(
    ({ message, fieldId }) =>
      html`<li>${fieldId ? html`<a href="#${fieldId}">${message}</a>` : message}</li>`,
  )}</ul></div>`
}

/** A labelled field. */
export interface Field {
  readonly name: string
  readonly label: string
  /** Unique on the page; default: derived from the name. */
  readonly id?: string
  readonly value?: string | undefined
  readonly type?: 'text' | 'search' | 'password' | 'date' | 'number' | 'file' | 'url' | 'email'
  readonly hint?: unknown
  /** Error of the value. */
  readonly error?: string | undefined
  readonly isRequired?: boolean
  /** Field of a search: not labelled as optional, since none is required. */
  readonly isFilter?: boolean
  /** One of several fields of which one is required, as their heading says. */
  readonly isOneOf?: boolean
  /** Renders a select with these values instead of an input. */
  readonly options?: readonly { readonly value: string; readonly label: string }[]
  /** Renders a multi-line input. */
  readonly isLong?: boolean
  /** The `autocomplete` attribute, for example `current-password`. */
  readonly autocomplete?: string
  /** Additional attributes, such as a pattern. */
  readonly more?: Html
}

/** Renders a field with its label, hint and error, linked by ARIA attributes. */
export function field(options: Field): Html {
  const { name, label, hint, error, isRequired } = options
  const id = options.id ?? `field-${name.replaceAll(/[^\w-]/g, '_')}`
  const described = [hint ? `${id}-hint` : '', error ? `${id}-error` : ''].filter(Boolean).join(' ')
  const common = html`id="${id}" name="${name}"${isRequired ? html` required` : ''}${
    error ? html` aria-invalid="true"` : ''
  }${described ? html` aria-describedby="${described}"` : ''}${
    options.autocomplete ? html` autocomplete="${options.autocomplete}"` : ''
  } ${options.more}`
  return html`<div class="field"><label for="${id}">${label}${isRequired || options.isFilter || options.isOneOf ? '' : html` <span class="soft">(optional)</span>`}</label>
${renderControl(options, common)}
${hint ? html`<p class="hint" id="${id}-hint">${hint}</p>` : ''}${error ? html`<p class="error" id="${id}-error">${error}</p>` : ''}</div>`
}

function renderControl({ type = 'text', value = '', options, isLong }: Field, common: Html): Html {
  if (options) {
    return html`<select ${common}>${options.map(
      (option) =>
        html`<option value="${option.value}"${option.value === value ? html` selected` : ''}>${option.label}</option>`,
    )}</select>`
  }
  // Browsers drop a line break right after the tag, so an extra one precedes the value.
  if (isLong) return html`<textarea ${common}>\n${value}</textarea>`
  return html`<input type="${type}"${type === 'file' || type === 'password' ? '' : html` value="${value}"`} ${common}>`
}

/** Renders checkboxes, or radio buttons, in a fieldset. */
export function checkboxes(group: {
  readonly name: string
  readonly legend: string
  readonly options: readonly { readonly value: string; readonly label: string }[]
  readonly chosen: ReadonlySet<string>
  /** Renders radio buttons: exactly one option can be chosen. */
  readonly isSingle?: boolean
  readonly error?: string | undefined
}): Html {
  const { name, legend, options, chosen, isSingle, error } = group
  const type = isSingle ? 'radio' : 'checkbox'
  const id = `field-${name}`
  return html`<fieldset${error ? html` id="${id}" aria-describedby="${id}-error"` : ''}><legend>${legend}</legend><div class="choices">${options.map(
    ({ value, label }) =>
      html`<label><input type="${type}" name="${name}" value="${value}"${chosen.has(value) ? html` checked` : ''}> ${label}</label>`,
  )}</div>${error ? html`<p class="error" id="${id}-error">${error}</p>` : ''}</fieldset>`
}
