/** Gives line and column, both from 1, of indexes of a text; fast where the indexes ascend. */
export function createPlaceFinder(text: string): (index: number) => {
  readonly line: number
  readonly column: number
} {
  let line = 1
  let start = 0
  let end = findEnd(text, start)
  return (index) => {
    if (index < start) {
      line = 1
      start = 0
      end = findEnd(text, start)
    }
    while (end < index) {
      line += 1
      start = end + 1
      end = findEnd(text, start)
    }
    return { line, column: index - start + 1 }
  }
}

function findEnd(text: string, start: number): number {
  const end = text.indexOf('\n', start)
  return end < 0 ? Number.POSITIVE_INFINITY : end
}
