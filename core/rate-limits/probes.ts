import type { CallValues, OutgoingCall } from '../calls/call.ts'
import type { EndpointCalls } from '../calls/call-maker.ts'
import type { Parameter } from '../catalogue/records.ts'
import { ServiceError } from '../errors.ts'
import type { RunTestRequest } from './probe/run-test.ts'
import type { PageParameter, Probe, TestInput } from './records.ts'

/** How to build each request of a run. */
export interface ProbePlan {
  readonly takes: RunTestRequest['supports']
  toValues(probe: Probe): CallValues
}

type BaseCall = Pick<TestInput, 'values' | 'usesCredentials'> & {
  readonly server: string | undefined
  readonly payloadBytes: number
}

/**
 * Finds the parts of an endpoint's call that can be enlarged: a string in the declared body, and a
 * page size in the query. Skips those that the description does not allow to be larger.
 */
export async function planProbes(calls: EndpointCalls, base: BaseCall): Promise<ProbePlan> {
  const build = async (changes: CallValues) => {
    const { server, usesCredentials } = base
    const options = { server, usesCredentials, isDryRun: true }
    try {
      return await calls.build({ ...base.values, ...changes }, options)
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'invalid_input') return undefined
      throw error
    }
  }
  const text = await findEnlargeableString(calls, base, build)
  const page = await findPageParameter(calls, base, build)
  return {
    takes: { payload: text !== undefined, page: page?.asked },
    toValues({ stage, bytes, pageSize }) {
      if (stage === 'payload' && text && bytes !== undefined) {
        const length = Math.max(1, Math.min(bytes, base.payloadBytes) - text.otherBytes)
        return { ...base.values, [text.key]: FILLER.repeat(length) }
      }
      if (stage === 'page' && page && pageSize !== undefined) {
        return { ...base.values, [page.key]: pageSize }
      }
      return base.values
    },
  }
}

/** Names of page-size parameters, in lower case without separators. */
const PAGE_NAMES: ReadonlySet<string> = new Set([
  'count',
  'limit',
  'maxitems',
  'maxresults',
  'numresults',
  'pagelimit',
  'pagesize',
  'perpage',
  'resultsperpage',
  'rows',
  'size',
  'take',
  'top',
])

/** Formats of strings that may have any length. */
const PLAIN_FORMATS: ReadonlySet<string> = new Set(['', 'html', 'markdown', 'text', 'textarea'])

const FILLER = 'a'
const USUAL_SIZE = 10
/** Factor between the usual page size and the larger one. */
const TIMES = 10

type Build = (changes: CallValues) => Promise<OutgoingCall | undefined>

async function findEnlargeableString(
  { endpoint }: EndpointCalls,
  { values, payloadBytes }: BaseCall,
  build: Build,
) {
  if (payloadBytes <= 0) return undefined
  const fits = ({ placement, type, format, enum: listed, range }: Parameter) =>
    (placement === 'body' || placement === 'formData') &&
    type === 'string' &&
    listed.length === 0 &&
    PLAIN_FORMATS.has(format) &&
    (range?.maxLength ?? payloadBytes) >= payloadBytes
  for (const field of endpoint.parameters.filter(fits)) {
    const key = toValueKey(field, values)
    const least = (await build({ [key]: FILLER }))?.body?.byteLength
    if (least === undefined || least > payloadBytes) continue
    const most = await build({ [key]: FILLER.repeat(payloadBytes - least + 1) })
    if (most?.body?.byteLength === payloadBytes) return { key, otherBytes: least - 1 }
  }
  return undefined
}

async function findPageParameter({ endpoint }: EndpointCalls, { values }: BaseCall, build: Build) {
  for (const field of endpoint.parameters) {
    const name = field.name.toLowerCase().replace(/[^a-z]/g, '')
    const isNumber = field.type === 'integer' || field.type === 'number'
    if (field.placement !== 'query' || !isNumber || !PAGE_NAMES.has(name)) continue
    const key = toValueKey(field, values)
    const told = [values[key], field.defaultValue, field.exampleValue].map(Number)
    const size = told.find((each) => Number.isSafeInteger(each) && each > 0) ?? USUAL_SIZE
    if (!(await build({ [key]: size })) || !(await build({ [key]: size * TIMES }))) continue
    const maximum = field.range?.maximum
    const asked: PageParameter = { parameter: field.name, size, maximum }
    return { key, asked }
  }
  return undefined
}

/** Returns the key used in `values`, or else the plain name. */
function toValueKey({ placement, name }: Parameter, values: CallValues): string {
  const full = `${placement}.${name}`
  return Object.hasOwn(values, full) ? full : name
}
