import type { Endpoint } from '../catalogue/records.ts'
import {
  chooseMediaType,
  isJsonType,
  isMultipartFormType,
  isUrlencodedType,
} from '../shared/media-types.ts'

/** The format of a request body. */
export interface BodyKind {
  readonly family: 'json' | 'urlencoded' | 'multipart' | 'content'
  /** Media type to send. For a range such as `image/*`, the caller's file determines it. */
  readonly mediaType: string
  readonly isRequired: boolean
  /**
   * Whether the fields of the body are separate parameters. Otherwise the whole body is one
   * parameter.
   */
  readonly isFlattened: boolean
  readonly allowsAdditional: boolean
}

/**
 * Determines the body format of an endpoint: JSON if possible, else a form, else the first media
 * type. Files need multipart. Undefined if the endpoint has no body.
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
  // A body with fields that is not a form must be an object.
  if (isFlattened) return { ...shared, family: 'json', mediaType: 'application/json' }
  return { ...shared, family: 'content', mediaType }
}

/** Returns the family of a caller's media type. */
export function toBodyFamily(mediaType: string): BodyKind['family'] {
  if (isJsonType(mediaType)) return 'json'
  if (isMultipartFormType(mediaType)) return 'multipart'
  return isUrlencodedType(mediaType) ? 'urlencoded' : 'content'
}

const URLENCODED = 'application/x-www-form-urlencoded'
const MULTIPART = 'multipart/form-data'

function isSendable(mediaType: string): boolean {
  return /^[\w!#$&^.+*-]+\/[\w!#$&^.+*-]+\s*(?:;[\x20-\x7e]*)?$/.test(mediaType)
}
