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

/**
 * Creates a function that finds the end of a here-document from its name: the indexes at which the
 * last line starts and stops. `after` matches what follows the name. After many that do not end, it
 * finds none, so that the work is bounded.
 */
export function createEndFinder(
  text: string,
  after: string,
): (name: string, from: number) => { readonly start: number; readonly stop: number } | undefined {
  let unclosed = 0
  return (name, from) => {
    if (unclosed >= MAX_UNCLOSED) return undefined
    const end = new RegExp(`^[ \\t]*${name}${after}`, 'gm')
    end.lastIndex = from
    const start = end.exec(text)?.index
    if (start !== undefined) return { start, stop: end.lastIndex }
    unclosed += 1
    return undefined
  }
}

const MAX_UNCLOSED = 20
