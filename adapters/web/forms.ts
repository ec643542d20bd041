import { BODY_LIMITS, decodeUtf8, readBytes } from '../../core/http/body.ts'
import type { HttpRequest } from '../../core/http/message.ts'
import {
  createTextReader,
  findBoundary,
  readParts,
  viewContent,
} from '../../core/http/multipart.ts'
import type { UploadedFile } from '../../core/http/operation.ts'
import { parsePairs } from '../../core/http/query.ts'
import { createPause } from '../../core/shared/slices.ts'

/** What a form holds. */
export interface FormValues {
  /** First value of a field as it was sent; empty when it was not. */
  text(name: string): string
  /** Every value of a field. */
  all(name: string): readonly string[]
  /** An uploaded file, the first of several; undefined when none was chosen. */
  file(name: string): UploadedFile | undefined
  /** All that were chosen, in their order. */
  files(name: string): readonly UploadedFile[]
  readonly names: readonly string[]
}

/** The form of a request without one. */
export const NO_FORM: FormValues = toFormValues([], new Map())

const MAX_FIELDS = 2000

/**
 * Reads what a browser sent of a form, urlencoded or multipart. Throws `too_large` for more than
 * `maxBytes` or than 1 MiB beside its files, and `invalid_body` for what is no form.
 */
export async function readFormValues(request: HttpRequest, maxBytes: number): Promise<FormValues> {
  const bytes = await readBytes(request.body, maxBytes)
  const boundary = findBoundary(bytes, request.header('content-type') ?? '')
  if (boundary === undefined) {
    return toFormValues(parsePairs(decodeUtf8(bytes), MAX_FIELDS), new Map())
  }
  const pairs: [string, string][] = []
  const files = new Map<string, UploadedFile[]>()
  const readText = createTextReader(BODY_LIMITS.maxBodyBytes)
  const pause = createPause()
  for (const part of readParts(bytes, { boundary, maxParts: MAX_FIELDS })) {
    await pause()
    if (!part) continue
    const name = part.name ?? ''
    const { filename } = part
    if (filename === undefined) pairs.push([name, readText(part)])
    else if (filename !== '' || part.size > 0) {
      const file = { bytes: viewContent(part), filename, mediaType: part.mediaType ?? '' }
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
