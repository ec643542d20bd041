/** Gives line and column, both from 1, of indexes of a text; fast where the indexes ascend. */
export function createPlaceFinder(text: string): (index: number) => {
  readonly line: number
  readonly column: number
} {
  let line = 1
  let start = 0
  return (index) => {
    if (index < start) {
      line = 1
      start = 0
    }
    for (
      let at = text.indexOf('\n', start);
      at >= 0 && at < index;
      at = text.indexOf('\n', start)
    ) {
      line += 1
      start = at + 1
    }
    return { line, column: index - start + 1 }
  }
}
