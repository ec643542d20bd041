/** Chooses a media type: JSON, else a form, else the first; empty if there is none. */
export function chooseMediaType(types: readonly string[]): string {
  if (types.length === 1) return types[0] ?? ''
  return types.find(isJsonType) ?? types.find(isFormType) ?? types[0] ?? ''
}

/** Matches `application/json` and all types with the suffix `+json`. */
export function isJsonType(mediaType: string): boolean {
  return /^[^;]*[/+]json\s*(?:;|$)/i.test(mediaType)
}

/** Matches the two media types of HTML forms. */
export function isFormType(mediaType: string): boolean {
  return isUrlencodedType(mediaType) || isMultipartFormType(mediaType)
}

/** Matches `application/x-www-form-urlencoded`. */
export function isUrlencodedType(mediaType: string): boolean {
  return /^\s*application\/x-www-form-urlencoded/i.test(mediaType)
}

/** Matches all multipart types: clients send some of them in place of `multipart/form-data`. */
export function isMultipartType(mediaType: string): boolean {
  return /^\s*multipart\//i.test(mediaType)
}

/** Matches `multipart/form-data`. */
export function isMultipartFormType(mediaType: string): boolean {
  return /^\s*multipart\/form-data/i.test(mediaType)
}
