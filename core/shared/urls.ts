/** True for an absolute http or https URL without white space and control characters. */
export function isHttpUrl(text: string): boolean {
  return /^https?:\/\/[^\s/][^\s\p{Cc}\p{Cs}]*$/iu.test(text) && URL.canParse(text)
}
