import { BODY_LIMITS, decodeUtf8, readBytes } from '../../core/http/body.ts'
import type { HttpRequest } from '../../core/http/message.ts'
import {
  createPartTextReader,
  findMultipartBoundary,
  getPartBytes,
  readMultipartParts,
} from '../../core/http/multipart.ts'
import type { UploadedFile } from '../../core/http/operation.ts'
import { parsePairs } from '../../core/http/query.ts'
import { createYieldIfDue } from '../../core/shared/time-slices.ts'

/** The values of a submitted form. */
export interface FormValues {
  /** First value of a field, unmodified; empty if absent. */
  text(name: string): string
  /** Every value of a field. */
  all(name: string): readonly string[]
  /** First uploaded file of a field; undefined if none was chosen. */
  file(name: string): UploadedFile | undefined
  /** All uploaded files of a field, in order. */
  files(name: string): readonly UploadedFile[]
  readonly names: readonly string[]
}

/** The form of a request without one. */
export const NO_FORM: FormValues = toFormValues([], new Map())

const MAX_FIELDS = 2000

/**
 * Parses a form sent by a browser, urlencoded or multipart. Throws `too_large` above `maxBytes`, or
 * if the fields besides its files exceed 1 MiB. Throws `invalid_body` if the body is not a form.
 */
export async function readFormValues(request: HttpRequest, maxBytes: number): Promise<FormValues> {
  const bytes = await readBytes(request.body, maxBytes)
  const boundary = findMultipartBoundary(bytes, request.header('content-type') ?? '')
  if (boundary === undefined) {
    return toFormValues(parsePairs(decodeUtf8(bytes), MAX_FIELDS), new Map())
  }
  const pairs: [string, string][] = []
  const files = new Map<string, UploadedFile[]>()
  const readText = createPartTextReader(BODY_LIMITS.maxBodyBytes)
  const pause = createYieldIfDue()
  for (const part of readMultipartParts(bytes, { boundary, maxParts: MAX_FIELDS })) {
    await pause()
    if (!part) continue
    const name = part.name ?? ''
    const { filename } = part
    if (filename === undefined) pairs.push([name, readText(part)])
    else if (filename !== '' || part.size > 0) {
      const file = { bytes: getPartBytes(part), filename, mediaType: part.mediaType ?? '' }
      files.set(name, [...(files.get(name) ?? []), file])
    }
  }
  return toFormValues(pairs, files)
}

function toFormValues(
  pairs: readonly (readonly [string, string])[],
  files: ReadonlyMap<string, readonly UploadedFile[]>,
): FormValues {
  const values = new Map<string, string[]>()
  for (const [name, value] of pairs) {
    const former = values.get(name)
    if (former) former.push(value)
    else values.set(name, [value])
  }
  return {
    text: (name) => values.get(name)?.[0] ?? '',
    all: (name) => values.get(name) ?? [],
    file: (name) => files.get(name)?.[0],
    files: (name) => files.get(name) ?? [],
    names: [...values.keys()],
  }
}
