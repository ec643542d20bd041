import type { Dirent } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import ignore, { type Ignore } from 'ignore'
import { mayScan } from '../../core/code-scanner/find/readers.ts'
import { assertFolder } from './assert-folder.ts'
import { type IgnoreRules, NO_RULES, openIgnoreRules } from './ignore-files.ts'
import { isGeneratedName, isSkippedFolder } from './skipped-files.ts'

/** Selects files of a folder. */
export interface WalkOptions {
  /** Path of the folder. */
  readonly root: string
  /**
   * Patterns as in `.gitignore`: selects only matching files; all by default. Patterns that name a
   * folder of vendored code (`vendor/acme/`) or generated files (`*.pb.go`) also include those,
   * which are otherwise skipped.
   */
  readonly include?: readonly string[] | undefined
  /** Patterns as in `.gitignore`: skips matching files and folders. */
  readonly exclude?: readonly string[] | undefined
  /** Whether `.gitignore` files are respected; true by default. */
  readonly obeysIgnoreFiles?: boolean | undefined
}

/**
 * Reason to skip a file or folder; a skipped folder counts once. `ignored` by git, `excluded` by
 * options, `vendored` folders, `generated` files, `link`s (targets in the folder are read there),
 * `unsupported` types, `unreadable`.
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
 * Walks a folder and yields relative paths of files to read, with `/`, folder by folder. Calls
 * `onSkip` for each skipped file or folder, with its path. Throws a `ServiceError` with code `not_found` if the
 * folder does not exist. Does not follow links.
 */
export async function* walkFolder(
  options: WalkOptions & { readonly onSkip: (reason: WalkSkip, path: string) => void },
): AsyncGenerator<readonly string[]> {
  const { root, onSkip } = options
  await assertFolder(root)
  const findSkipReason = createSkipCheck(options)
  const obeys = options.obeysIgnoreFiles ?? true
  const open: Folder[] = [{ path: '', rules: obeys ? await openIgnoreRules(root) : NO_RULES }]
  while (open.length > 0) {
    const next = open.splice(-FOLDERS_AT_ONCE)
    const listed = await Promise.all(next.map((folder) => listFolder(root, folder)))
    for (const { folder, entries, rules } of listed) {
      if (!entries) onSkip('unreadable', folder.path || './')
      const files: string[] = []
      for (const entry of entries ?? []) {
        const path = folder.path + entry.name
        const reason = findSkipReason(entry, { path, rules })
        if (reason !== undefined) onSkip(reason, path)
        else if (entry.isDirectory()) open.push({ path: `${path}/`, rules })
        else files.push(path)
      }
      if (files.length > 0) yield files
    }
  }
}

/** Number of folders listed concurrently. */
const FOLDERS_AT_ONCE = 16

interface Folder {
  /** Ends with a slash; empty for the scanned folder. */
  readonly path: string
  readonly rules: IgnoreRules
}

async function listFolder(
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

function createSkipCheck(
  options: WalkOptions,
): (
  entry: Dirent,
  at: { readonly path: string; readonly rules: IgnoreRules },
) => WalkSkip | undefined {
  const include = options.include?.length ? ignore().add([...options.include]) : undefined
  const named = findNamedExceptions(options.include ?? [])
  const exclude = options.exclude?.length ? ignore().add([...options.exclude]) : undefined
  return (entry, { path, rules }) => {
    if (entry.isSymbolicLink()) return 'link'
    if (entry.isDirectory()) {
      if (isSkippedFolder(entry.name) && !named.folders.has(entry.name)) return 'vendored'
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

/** Finds patterns that name folders or files that are skipped by default. */
function findNamedExceptions(patterns: readonly string[]): {
  readonly folders: ReadonlySet<string>
  /** Matches generated files; undefined if no pattern names any. */
  readonly files: Ignore | undefined
} {
  const parts = patterns.map((pattern) => pattern.split('/').filter(Boolean))
  const ofFiles = patterns.filter((_, at) => isGeneratedName(parts[at]?.at(-1) ?? ''))
  return {
    folders: new Set(parts.flat().filter(isSkippedFolder)),
    files: ofFiles.length > 0 ? ignore().add(ofFiles) : undefined,
  }
}
