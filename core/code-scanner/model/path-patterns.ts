/**
 * Compiles patterns of paths, separated by blanks, to one expression: `*` stands for a part of a
 * name, `**` for any part of a path, `{a,b}` for alternatives. A pattern matches the end of a path,
 * from the beginning of a name on, in any case.
 *
 * @example
 * ```ts
 * matchPaths('Dockerfile* .github/workflows/**.{yml,yaml}').test('web/Dockerfile.dev') // true
 * ```
 */
export function matchPaths(patterns: string): RegExp {
  const sources = patterns.trim().split(/\s+/).map(toSource)
  return new RegExp(`(?:^|/)(?:${sources.join('|')})$`, 'i')
}

function toSource(pattern: string): string {
  return pattern
    .replaceAll(/[.+^$()|[\]\\]/g, '\\$&')
    .replaceAll(/\*+/g, (stars) => (stars === '**' ? '.*' : '[^/]*'))
    .replaceAll(/\{([^{}]*)\}/g, (_, names: string) => `(?:${names.replaceAll(',', '|')})`)
}
