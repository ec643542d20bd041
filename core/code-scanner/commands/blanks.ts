/** The text with a blank for every character; line ends stay. */
export function blank(text: string): string {
  return text.replaceAll(/[^\n\r]/g, ' ')
}

/** Maps each line of a text, without its line end. */
export function mapLines(text: string, map: (line: string) => string): string {
  return text
    .split('\n')
    .map((line) => (line.endsWith('\r') ? `${map(line.slice(0, -1))}\r` : map(line)))
    .join('\n')
}

/** Whether a value is one word of the shell, quoted or not. */
export function isOneWord(value: string): boolean {
  return /^(?:"[^"]*"|'[^']*'|[^\s"'`;&|<>()]+)\s*$/.test(value)
}

/** A list as a command: `["curl", "-f", "x"]` without its marks, after `"sh", "-c",` another one. */
export function toListCommand(list: string): string {
  const script = /^\[\s*["'](?:\/bin\/)?(?:ba|z|a)?sh["']\s*,\s*["']-\w*c["']\s*,\s*(["'])/.exec(
    list,
  )
  if (!script) return list.replaceAll(/[[\],]/g, ' ')
  const body = list.slice(script[0].length).replace(/["']\s*\]\s*$/, blank)
  return blank(script[0]) + body.replaceAll(/\\(.)/g, ' $1')
}
