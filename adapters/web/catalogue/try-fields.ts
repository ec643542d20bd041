import {
  type CallField,
  type DescribedTarget,
  parseExactJson,
} from '../../../core/gateway/index.ts'
import type { InputIssue } from '../../../core/index.ts'
import { type Html, html } from '../../../core/shared/html.ts'
import { hash53 } from '../../../core/shared/ids.ts'
import type { FormValues } from '../forms.ts'
import { type Field, field } from '../parts/form.ts'
import { createExcerpt } from './labels.ts'

/** Values of a submitted form. */
export interface TriedValues {
  /** By field key. */
  readonly values: Readonly<Record<string, unknown>>
  /** Identifies the fields of the form, as the description may have changed since. */
  readonly shape: string
}

/** Identifies the fields of a form, so that no value is assigned to another field. */
export function computeShape({ fields }: Pick<DescribedTarget, 'fields'>): string {
  return hash53(fields.map(({ key }) => key).join('\n')).toString(36)
}

/** Reads the submitted values; empty ones are not sent. */
export function readValues(target: DescribedTarget, form: FormValues): TriedValues['values'] {
  const entries: [string, unknown][] = []
  for (const [index, given] of target.fields.entries()) {
    const name = toControlName(index)
    const file = form.file(name)
    const text = form.text(name)
    if (file) entries.push([given.key, file])
    else if (text !== '') entries.push([given.key, parseValue(text, { given, target })])
  }
  return Object.fromEntries(entries)
}

/** Returns the initial values of a form: examples and defaults of required fields. */
export function getInitialValues({ fields }: DescribedTarget): TriedValues['values'] {
  return Object.fromEntries(
    fields.flatMap(({ key, isRequired, isSecret, parameter }) => {
      const value = parameter?.exampleValue ?? parameter?.defaultValue ?? parameter?.enum[0]
      return isRequired && !isSecret && value !== undefined ? [[key, value]] : []
    }),
  )
}

/** Returns the initial text of a field; ignores inherited members of `values`. */
export function getInitialText(values: TriedValues['values'], key: string): string {
  return Object.hasOwn(values, key) ? String(values[key]) : ''
}

/**
 * Renders a control for each value that the endpoint accepts: required ones first, the rest
 * collapsed.
 */
export function renderCallFields(
  target: DescribedTarget,
  options: {
    readonly texts: (key: string, index: number) => string
    readonly issues: readonly InputIssue[]
    /** True to omit secrets and files, for values that will be stored. */
    readonly isStored?: boolean
  },
): Html {
  const drawn = target.fields.flatMap((each, index) => {
    if (each.refusal !== undefined || (options.isStored && !canStore(each))) return []
    const text = options.texts(each.key, index)
    const issue = options.issues.find(({ name }) => name === each.key || name === each.name)
    const isShown = each.isRequired || text !== '' || issue !== undefined
    return [
      {
        isShown,
        control: field(
          createField(each, { index, text, error: issue?.message, body: target.body }),
        ),
      },
    ]
  })
  const [shown, folded] = [
    drawn.filter(({ isShown }) => isShown),
    drawn.filter(({ isShown }) => !isShown),
  ]
  const controls = (some: typeof drawn) => some.map(({ control }) => control)
  const isOpen = folded.length <= (shown.length === 0 ? 8 : 4)
  return html`${controls(shown)}${
    folded.length > 0
      ? html`<details${isOpen ? html` open` : ''}><summary>${folded.length} optional ${folded.length === 1 ? 'value' : 'values'}</summary>${controls(folded)}</details>`
      : ''
  }`
}

/** True if a value of the field may be stored: text that is not secret. */
export function canStore({ isSecret, parameter }: CallField): boolean {
  return !isSecret && parameter?.type !== 'file' && parameter?.items?.type !== 'file'
}

/** Renders a choice of servers if there are several. */
export function renderServerChoice(
  { servers }: Pick<DescribedTarget, 'servers'>,
  chosen: string | undefined,
): Html {
  if (servers.length < 2) return html``
  return field({
    name: 'server',
    label: 'Server',
    value: chosen ?? '1',
    isFilter: true,
    options: servers.map(({ url, name }, index) => ({
      value: String(index + 1),
      label: name ? `${name}: ${url}` : url,
    })),
  })
}

/**
 * Returns the name of a form control. Keys may contain any characters, but names of file controls
 * may not.
 */
export function toControlName(index: number): string {
  return `value-${index}`
}

function createField(
  callField: CallField,
  more: {
    readonly index: number
    readonly text: string
    readonly error: string | undefined
    readonly body: DescribedTarget['body']
  },
): Field {
  const { parameter, variable, isSecret, isRequired, placement } = callField
  const isSure = !BODY_PLACEMENTS.has(placement) || more.body?.isRequired === true
  const common = {
    name: toControlName(more.index),
    label: `${callField.key}, in ${PLACEMENT_LABELS[placement] ?? placement}`,
    value: more.text,
    error: more.error,
    isRequired: isRequired && isSure,
    hint: renderHint(callField, isSure),
  }
  if (isSecret) return { ...common, type: 'password', autocomplete: 'off' }
  const { type = '', items } = parameter ?? {}
  if (type === 'file' || items?.type === 'file') return { ...common, type: 'file' }
  const choices =
    variable?.values ?? (type === 'boolean' ? ['true', 'false'] : (parameter?.enum ?? []))
  if (choices.length > 0 && type !== 'array') {
    const listed =
      choices.includes(more.text) || more.text === '' ? choices : [more.text, ...choices]
    const options = [{ value: '', label: variable ? variable.default : 'not sent' }].concat(
      listed.map((value) => ({ value, label: value })),
    )
    return { ...common, options }
  }
  const isLong = type === 'object' || (type === 'array' && items?.type === 'object')
  const isWhole = BODY_PLACEMENTS.has(placement) && callField.name === 'body'
  if (isLong || isWhole || more.text.includes('\n')) return { ...common, isLong: true }
  const isNumber = type === 'integer' || type === 'number'
  return {
    ...common,
    ...(isNumber ? { more: html`inputmode="${type === 'integer' ? 'numeric' : 'decimal'}"` } : {}),
  }
}

/** Placements within a body; their fields are required only if there is a body. */
const BODY_PLACEMENTS = new Set(['body', 'formData', 'querystring'])

const PLACEMENT_LABELS: Readonly<Record<string, string>> = {
  path: 'the path',
  query: 'the query',
  header: 'a header',
  cookie: 'a cookie',
  formData: 'the form',
  body: 'the body',
  server: 'the server’s address',
}

function renderHint(
  { parameter, isSecret, isRequired }: CallField,
  isSure: boolean,
): Html | undefined {
  if (!parameter)
    return isSecret ? html`A key of the target. If empty, a stored credential is sent.` : undefined
  const { type, format, items, description, defaultValue, exampleValue, isDeprecated } = parameter
  const range = Object.entries(parameter.range ?? {}).map(([name, value]) => `${name} ${value}`)
  const kind =
    type === 'array'
      ? `list${items?.type ? ` of ${items.type}` : ''}, separated by commas or as JSON`
      : type === 'object'
        ? 'JSON object'
        : [type, format].filter(Boolean).join(', ')
  const notes = [
    kind,
    ...range,
    isRequired && !isSure ? 'required if there is a body' : '',
    defaultValue === undefined ? '' : `default ${createExcerpt(defaultValue, 60)}`,
    exampleValue === undefined || isRequired ? '' : `example ${createExcerpt(exampleValue, 60)}`,
    isDeprecated ? 'deprecated' : '',
  ].filter(Boolean)
  const text = createExcerpt(description, 200)
  return html`${text}${text && notes.length > 0 ? ' — ' : ''}${notes.join('; ')}`
}

/** Parses a JSON body; other texts are unchanged, as the call itself parses them. */
function parseValue(
  text: string,
  { given, target }: { readonly given: CallField; readonly target: DescribedTarget },
): unknown {
  const { body } = target
  const isWhole = BODY_PLACEMENTS.has(given.placement) && body?.isFlattened === false
  if (!isWhole || !/[/+]json\b/i.test(body?.mediaType ?? '')) return text
  try {
    return parseExactJson(text)
  } catch {
    return text
  }
}
