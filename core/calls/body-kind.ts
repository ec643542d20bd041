import type { Endpoint } from '../catalogue/records.ts'
import {
  chooseMediaType,
  isJsonType,
  isMultipartFormType,
  isUrlencodedType,
} from '../shared/media-types.ts'

/** How a body is written. */
export interface BodyKind {
  readonly family: 'json' | 'urlencoded' | 'multipart' | 'content'
  /** As sent; of a range like `image/*` the caller's file says more. */
  readonly mediaType: string
  readonly isRequired: boolean
  /** Its fields are parameters of their own; otherwise it is one parameter. */
  readonly isFlattened: boolean
  readonly allowsAdditional: boolean
}

/**
 * How the body of an endpoint is written: as JSON where it may be, else as a form, else as the first
 * media type says. Files need multipart. Undefined when the endpoint takes no body.
 */
export function toBodyKind(endpoint: Pick<Endpoint, 'parameters' | 'body'>): BodyKind | undefined {
  const { body } = endpoint
  const fields = endpoint.parameters.filter(
    ({ placement }) => placement === 'body' || placement === 'formData',
  )
  if (!body && fields.length === 0) return undefined
  const { mediaTypes, isRequired, isFlattened, allowsAdditional } = body ?? {
    mediaTypes: [URLENCODED],
    isRequired: fields.some((field) => field.isRequired),
    isFlattened: true,
    allowsAdditional: false,
  }
  const chosen = chooseMediaType(mediaTypes).trim()
  const shared = { isRequired, isFlattened, allowsAdditional }
  if (isJsonType(chosen) || chosen === '' || chosen.startsWith('*')) {
    const mediaType = isJsonType(chosen) && isSendable(chosen) ? chosen : 'application/json'
    return { ...shared, family: 'json', mediaType }
  }
  const hasFiles = fields.some(({ type, items }) => type === 'file' || items?.type === 'file')
  if (isMultipartFormType(chosen) || (isFlattened && hasFiles)) {
    return { ...shared, family: 'multipart', mediaType: MULTIPART }
  }
  if (isUrlencodedType(chosen)) return { ...shared, family: 'urlencoded', mediaType: URLENCODED }
  const mediaType = isSendable(chosen) ? chosen : 'application/octet-stream'
  // What has fields and is no form can only be an object of them.
  if (isFlattened) return { ...shared, family: 'json', mediaType: 'application/json' }
  return { ...shared, family: 'content', mediaType }
}

/** The family that a media type of a caller's own belongs to. */
export function familyOf(mediaType: string): BodyKind['family'] {
  if (isJsonType(mediaType)) return 'json'
  if (isMultipartFormType(mediaType)) return 'multipart'
  return isUrlencodedType(mediaType) ? 'urlencoded' : 'content'
}

const URLENCODED = 'application/x-www-form-urlencoded'
const MULTIPART = 'multipart/form-data'

function isSendable(mediaType: string): boolean {
  return /^[\w!#$&^.+*-]+\/[\w!#$&^.+*-]+\s*(?:;[\x20-\x7e]*)?$/.test(mediaType)
}
