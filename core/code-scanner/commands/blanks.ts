/** Replaces every character by a blank; line ends remain. */
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

/** Writes an unknown variable of the shell with a length of at least three. */
export function unknownVariable(length: number): string {
  return length < 5 ? '$_'.padEnd(length) : `\${_${'#'.padEnd(length - 4, '_')}}`
}
