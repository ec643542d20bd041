/** Whether a text without a URL may call an API: a client with a path, an imported base. */
export function isJavascriptWorthParsing(text: string): boolean {
  return /\(\s*['"`]\/|\.(?:get|post|put|patch|delete|request)\s*[(<]|\bfetch\b|hostname|createApi/.test(
    text,
  )
}
