/** JSON first, then forms, then what comes first; empty when there is none. */
export function chooseMediaType(types: readonly string[]): string {
  if (types.length === 1) return types[0] ?? ''
  return types.find(isJsonType) ?? types.find(isFormType) ?? types[0] ?? ''
}

/** True for `application/json` and everything that ends in `+json`. */
export function isJsonType(mediaType: string): boolean {
  return /^[^;]*[/+]json\s*(?:;|$)/i.test(mediaType)
}

/** True for the two media types of HTML forms. */
export function isFormType(mediaType: string): boolean {
  return isUrlencodedType(mediaType) || isMultipartFormType(mediaType)
}

/** True for `application/x-www-form-urlencoded`. */
export function isUrlencodedType(mediaType: string): boolean {
  return /^\s*application\/x-www-form-urlencoded/i.test(mediaType)
}

/** True for `multipart/form-data` and its kin, of which clients send some by mistake. */
export function isMultipartType(mediaType: string): boolean {
  return /^\s*multipart\//i.test(mediaType)
}

/** True for `multipart/form-data`. */
export function isMultipartFormType(mediaType: string): boolean {
  return /^\s*multipart\/form-data/i.test(mediaType)
}
