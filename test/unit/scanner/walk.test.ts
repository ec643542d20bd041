import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type WalkOptions, walkFolder } from '../../../adapters/scanner/walk.ts'
import { makeFolder } from '../../helpers/source-folder.ts'

/** Returns the sorted paths and the number of skipped entries by reason. */
async function walk(
  options: WalkOptions,
): Promise<{ paths: readonly string[]; skipped: Record<string, number> }> {
  const paths: string[] = []
  const skipped: Record<string, number> = {}
  const onSkip = (reason: string) => {
    skipped[reason] = (skipped[reason] ?? 0) + 1
  }
  for await (const some of walkFolder({ ...options, onSkip })) paths.push(...some)
  return { paths: paths.sort(), skipped }
}

async function walkFiles(
  names: Readonly<Record<string, string>> | readonly string[],
  options: Omit<WalkOptions, 'root'> & { readonly below?: string } = {},
): Promise<unknown> {
  const files = Array.isArray(names) ? Object.fromEntries(names.map((name) => [name, ''])) : names
  const folder = await makeFolder(files as Readonly<Record<string, string>>)
  try {
    return await walk({ ...options, root: join(folder.path, options.below ?? '') })
  } finally {
    await folder.remove()
  }
}

describe('walking a folder', () => {
  it('yields sources at any depth, and skips vendored and generated files', async () => {
    expect(
      await walkFiles([
        'a.ts',
        'b/c/d.py',
        'script',
        'logo.png',
        'README.md',
        'package-lock.json',
        'yarn.lock',
        'app.min.js',
        'app.js.map',
        'api.pb.go',
        'node_modules/x/index.js',
        'b/vendor/x.go',
        'b/__pycache__/x.py',
      ]),
    ).toEqual({
      paths: ['a.ts', 'b/c/d.py', 'script'],
      skipped: { generated: 5, unsupported: 2, vendored: 3 },
    })
  })

  it('skips files ignored by git, with precedence of deeper rules', async () => {
    expect(
      await walkFiles({
        '.gitignore': '*.gen.ts\n/out/\nsecret.py\n',
        'a.gen.ts': '',
        'out/a.ts': '',
        'b/out/a.ts': '',
        'b/.gitignore': '!keep.gen.ts\n/local.ts\n',
        'b/keep.gen.ts': '',
        'b/c/keep.gen.ts': '',
        'b/local.ts': '',
        'b/c/local.ts': '',
        'b/secret.py': '',
      }),
    ).toMatchObject({
      paths: ['b/c/keep.gen.ts', 'b/c/local.ts', 'b/keep.gen.ts', 'b/out/a.ts'],
      skipped: { ignored: 4 },
    })
  })

  it('applies the rules of parent folders, up to the repository', async () => {
    expect(
      await walkFiles(
        {
          '.git/HEAD': 'ref: refs/heads/main\n',
          '.git/info/exclude': 'mine.ts\n',
          '.gitignore': '/apps/web/out\n',
          'apps/.gitignore': 'local.ts\n',
          'apps/web/out/a.ts': '',
          'apps/web/a.ts': '',
          'apps/web/local.ts': '',
          'apps/web/mine.ts': '',
        },
        { below: 'apps/web' },
      ),
    ).toEqual({ paths: ['a.ts'], skipped: { ignored: 3 } })
  })

  it('scans a folder that is named even if git ignores it', async () => {
    const files = { '.git/HEAD': 'ref: x\n', '.gitignore': 'tmp/\n*.py\n', 'tmp/a/b.py': '' }
    expect(await walkFiles(files, { below: 'tmp/a' })).toEqual({ paths: ['b.py'], skipped: {} })
  })

  it('yields only included files, without excluded ones', async () => {
    const names = ['src/a.ts', 'src/a.test.ts', 'src/gen/a.ts', 'tools/a.ts', 'src/a.py']
    expect(
      await walkFiles(names, { include: ['src/**/*.ts'], exclude: ['*.test.ts', 'gen/'] }),
    ).toEqual({ paths: ['src/a.ts'], skipped: { excluded: 4 } })
  })

  it('reads vendored or generated files that a pattern names', async () => {
    const names = ['a.ts', 'vendor/acme/a.go', 'vendor/dist/b.js', 'c.pb.go', 'vendor/d.min.js']
    expect(await walkFiles(names, { include: ['vendor/'] })).toEqual({
      paths: ['vendor/acme/a.go'],
      skipped: { excluded: 1, generated: 2, vendored: 1 },
    })
    expect(await walkFiles(names, { include: ['*.pb.go'] })).toMatchObject({ paths: ['c.pb.go'] })
  })

  it('does not follow links', async () => {
    const outside = await makeFolder({ 'a.ts': '' })
    const folder = await makeFolder({ 'b.ts': '' })
    await symlink(outside.path, join(folder.path, 'outside'))
    await symlink(folder.path, join(folder.path, 'loop'))
    await symlink(join(folder.path, 'b.ts'), join(folder.path, 'c.ts'))
    expect(await walk({ root: folder.path })).toEqual({ paths: ['b.ts'], skipped: { link: 3 } })
    await Promise.all([folder.remove(), outside.remove()])
  })

  it('rejects a missing folder, or a path that is not a folder', async () => {
    const folder = await makeFolder({ 'a.ts': '' })
    const failures = await Promise.allSettled([
      walk({ root: join(folder.path, 'none') }),
      walk({ root: join(folder.path, 'a.ts') }),
    ])
    expect(
      failures.map((one) => one.status === 'rejected' && [one.reason.code, one.reason.message]),
    ).toEqual([
      ['not_found', `Cannot scan "${join(folder.path, 'none')}": the folder does not exist`],
      ['not_found', `Cannot scan "${join(folder.path, 'a.ts')}": it is not a folder`],
    ])
    await folder.remove()
  })
})
