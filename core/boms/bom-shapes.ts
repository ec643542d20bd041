import { BOM_FORMATS, type BomFormat, SPEC_VERSIONS, type SpecVersion } from './records.ts'

/** A document format and, for CycloneDX, its version. */
export interface BomShape {
  readonly format: BomFormat
  readonly version: SpecVersion
}

/** Default version of CycloneDX, defined by the specification. */
export const DEFAULT_VERSION: SpecVersion = '1.5'

/** Media type of each format; those of CycloneDX are registered. */
export const MEDIA_TYPES = {
  specification: 'application/json',
  'cyclonedx-json': 'application/vnd.cyclonedx+json',
  'cyclonedx-xml': 'application/vnd.cyclonedx+xml',
} as const satisfies Record<BomFormat, string>

/** Returns the media type for a `Content-Type` header. */
export function toContentType({ format, version }: BomShape): string {
  const mediaType = MEDIA_TYPES[format]
  return format === 'specification' ? mediaType : `${mediaType}; version=${version}`
}

/**
 * Chooses the preferred supported format of an `Accept` header (RFC 9110 12.5.1); the first of
 * equally preferred ones. Undefined if it accepts none. `application/xml` and unknown versions are
 * not supported.
 */
export function chooseShape(accept: string): BomShape | undefined {
  let best: { readonly shape: BomShape; readonly quality: number } | undefined
  for (const range of accept.split(',')) {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    const shape = matchMediaType(type, readParameter(parameters, 'version'))
    const quality = Number(readParameter(parameters, 'q') ?? 1)
    if (shape && quality > (best?.quality ?? 0)) best = { shape, quality }
  }
  return best?.shape
}

function matchMediaType(type: string, version: string = DEFAULT_VERSION): BomShape | undefined {
  if (['*/*', 'application/*', MEDIA_TYPES.specification].includes(type)) {
    return { format: 'specification', version: DEFAULT_VERSION }
  }
  const format = BOM_FORMATS.find((name) => MEDIA_TYPES[name] === type)
  const known = SPEC_VERSIONS.find((name) => name === version)
  return format && known ? { format, version: known } : undefined
}

function readParameter(parameters: readonly string[], name: string): string | undefined {
  const found = parameters.find((parameter) => parameter.startsWith(`${name}=`))
  return found?.slice(name.length + 1).replace(/^"(.*)"$/, '$1')
}
