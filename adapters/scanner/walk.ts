import type { Dirent } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import ignore, { type Ignore } from 'ignore'
import { ServiceError } from '../../core/http/problems.ts'
import { mayScan } from '../../core/scans/project/kinds.ts'
import { type IgnoreRules, NO_RULES, openIgnoreRules } from './ignore-files.ts'
import { isGeneratedName, isLeftOutFolder } from './left-out.ts'

/** Which files of a folder are looked at. */
export interface WalkOptions {
  /** Path of the folder. */
  readonly root: string
  /**
   * Patterns as in a `.gitignore`: only files that one of them fits; all when undefined. One that
   * names a folder of vendored code (`vendor/acme/`) or a form of generated names (`*.pb.go`) has
   * those read that are left out else.
   */
  readonly include?: readonly string[] | undefined
  /** Patterns as in a `.gitignore`: no file or folder that one of them fits. */
  readonly exclude?: readonly string[] | undefined
  /** False: what `.gitignore` files leave out is read as well. */
  readonly obeysIgnoreFiles?: boolean | undefined
}

/**
 * Why a file or folder is not read, a folder counting once: `ignored` by git, `excluded` by options,
 * `vendored` folders, `generated` files, `links` (what they lead to in the folder is read there),
 * `unsupported` kinds, `unreadable`.
 */
export type WalkSkip =
  | 'ignored'
  | 'excluded'
  | 'vendored'
  | 'generated'
  | 'link'
  | 'unsupported'
  | 'unreadable'

/**
 * Walks a folder; gives the paths below it that are worth reading, with `/`, folder by folder. What
 * is left out is told to `onSkip`. Throws a `ServiceError` with code `not_found` when the folder is
 * not there. Links are not followed.
 */
export async function* walkFolder(
  options: WalkOptions & { readonly onSkip: (reason: WalkSkip) => void },
): AsyncGenerator<readonly string[]> {
  const { root, onSkip } = options
  const found = await stat(root).catch(() => undefined)
  if (!found?.isDirectory()) {
    throw new ServiceError(
      'not_found',
      `Cannot scan "${root}": ${found ? 'it is not a folder' : 'there is no such folder'}`,
    )
  }
  const judge = createJudge(options)
  const obeys = options.obeysIgnoreFiles ?? true
  const open: Folder[] = [{ path: '', rules: obeys ? await openIgnoreRules(root) : NO_RULES }]
  while (open.length > 0) {
    const next = open.splice(-FOLDERS_AT_ONCE)
    const listed = await Promise.all(next.map((folder) => list(root, folder)))
    for (const { folder, entries, rules } of listed) {
      if (!entries) onSkip('unreadable')
      const files: string[] = []
      for (const entry of entries ?? []) {
        const path = folder.path + entry.name
        const reason = judge(entry, { path, rules })
        if (reason !== undefined) onSkip(reason)
        else if (entry.isDirectory()) open.push({ path: `${path}/`, rules })
        else files.push(path)
      }
      if (files.length > 0) yield files
    }
  }
}

/** Folders that are listed at the same time. */
const FOLDERS_AT_ONCE = 16

interface Folder {
  /** Ends with a slash; empty for the scanned folder. */
  readonly path: string
  readonly rules: IgnoreRules
}

async function list(
  root: string,
  folder: Folder,
): Promise<{
  readonly folder: Folder
  readonly entries: readonly Dirent[] | undefined
  readonly rules: IgnoreRules
}> {
  try {
    const entries = await readdir(join(root, folder.path), { withFileTypes: true })
    const hasRules = folder.path !== '' && entries.some(({ name }) => name === '.gitignore')
    const rules = hasRules ? await folder.rules.enter(folder.path) : folder.rules
    return { folder, entries, rules }
  } catch {
    return { folder, entries: undefined, rules: folder.rules }
  }
}

function createJudge(
  options: WalkOptions,
): (
  entry: Dirent,
  at: { readonly path: string; readonly rules: IgnoreRules },
) => WalkSkip | undefined {
  const include = options.include?.length ? ignore().add([...options.include]) : undefined
  const named = findNamed(options.include ?? [])
  const exclude = options.exclude?.length ? ignore().add([...options.exclude]) : undefined
  return (entry, { path, rules }) => {
    if (entry.isSymbolicLink()) return 'link'
    if (entry.isDirectory()) {
      if (isLeftOutFolder(entry.name) && !named.folders.has(entry.name)) return 'vendored'
      if (exclude?.ignores(`${path}/`)) return 'excluded'
      return rules.ignores(`${path}/`) ? 'ignored' : undefined
    }
    if (!entry.isFile()) return 'unsupported'
    if (isGeneratedName(entry.name) && !named.files?.ignores(path)) return 'generated'
    if (!mayScan(path)) return 'unsupported'
    if (exclude?.ignores(path) || include?.ignores(path) === false) return 'excluded'
    return rules.ignores(path) ? 'ignored' : undefined
  }
}

/** What patterns name that is left out else. */
function findNamed(patterns: readonly string[]): {
  readonly folders: ReadonlySet<string>
  /** Knows the generated files; undefined where no pattern names any. */
  readonly files: Ignore | undefined
} {
  const parts = patterns.map((pattern) => pattern.split('/').filter(Boolean))
  const ofFiles = patterns.filter((_, at) => isGeneratedName(parts[at]?.at(-1) ?? ''))
  return {
    folders: new Set(parts.flat().filter(isLeftOutFolder)),
    files: ofFiles.length > 0 ? ignore().add(ofFiles) : undefined,
  }
}
