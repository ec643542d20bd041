import { describe, expect, it } from 'vitest'
import { matchPaths } from '../../../core/code-scanner/model/path-patterns.ts'

describe('patterns of paths', () => {
  it.each([
    ['Dockerfile*', 'web/dockerfile.dev', true],
    ['Dockerfile*', 'myDockerfile', false],
    ['*.{yml,yaml}', 'a/b.yaml', true],
    ['*.{yml,yaml}', 'a/b.yaml.j2', false],
    ['.github/workflows/**.yml', 'x/.github/workflows/a/b.yml', true],
    ['.github/workflows/*.yml', '.github/workflows/a/b.yml', false],
    ['Procfile{,.*}', 'Procfile', true],
    ['a.b c.d', 'x/c.d', true],
    ['a.b', 'acb', false],
  ])('%s and %s: %s', (patterns, path, wanted) => {
    expect(matchPaths(patterns).test(path)).toBe(wanted)
  })
})
