import { stat } from 'node:fs/promises'
import { ServiceError } from '../../core/index.ts'
import {
  type CveDocument,
  createRemoteFile,
  type FeedFile,
  type SyncOptions,
} from '../../core/vulnerabilities/index.ts'
import type { HttpGet } from '../egress/index.ts'
import {
  decompressFeed,
  listFeedFiles,
  readCveFile,
  readFeedFile,
  unpackCveFile,
} from '../feeds/index.ts'
import { CommandError, UsageError } from './errors.ts'
import { type Io, toPrintable } from './io.ts'
import { describeErrorCode, describeSystemError } from './system-errors.ts'

interface SourceOptions {
  readonly io: Io
  readonly http: HttpGet
  readonly sync: SyncOptions
  /** Names of the files to load from a folder (default: all possible feeds). */
  readonly pattern?: RegExp
}

const URL_START = /^https?:\/\//i

/** Lists the feeds of paths and URLs. Prints the skipped entries of folders. */
export async function listSyncFiles(
  sources: readonly string[],
  options: SourceOptions,
): Promise<readonly FeedFile[]> {
  const lists = await Promise.all(
    sources.map((source) =>
      URL_START.test(source)
        ? [createRemoteFeed(source, options)]
        : listLocalFeeds(source, options),
    ),
  )
  return lists.flat()
}

/** Finds the single feed of a path or URL. Throws a `UsageError` if there are several. */
export async function findSyncFile(source: string, options: SourceOptions): Promise<FeedFile> {
  const [file, ...others] = await listSyncFiles([source], options)
  if (file && others.length === 0) return file
  const count = others.length + 1
  throw new UsageError(`Cannot load ${source}: --from must name one file, but it contains ${count}`)
}

/** Lists paths and URLs with records of the CVE Program: files, archives and folders. */
export async function listCveFiles(
  sources: readonly string[],
  options: Omit<SourceOptions, 'pattern'>,
): Promise<readonly FeedFile<CveDocument>[]> {
  const { http, sync } = options
  return Promise.all(
    sources.map((source) =>
      URL_START.test(source)
        ? createRemoteFile(source, { get: http.get, expand: unpackCveFile, deps: sync })
        : createLocalCveFile(source),
    ),
  )
}

async function createLocalCveFile(path: string): Promise<FeedFile<CveDocument>> {
  const found = await stat(path).catch((error: unknown) => {
    throw new CommandError(`Cannot read ${path}: ${describeSystemError(error)}`)
  })
  const open: FeedFile<CveDocument>['open'] = ({ onBytes }) =>
    readCveFile(path, { onRead: onBytes })
  // The files of a folder may change without a trace.
  if (found.isDirectory()) return { name: path, open }
  const { size, mtimeMs } = found
  return { name: path, bytes: size, fingerprint: `${size} ${mtimeMs}`, open }
}

function createRemoteFeed(url: string, { http, sync }: SourceOptions): FeedFile {
  return createRemoteFile(url, { get: http.get, expand: decompressFeed, deps: sync })
}

async function listLocalFeeds(
  path: string,
  { io, pattern }: SourceOptions,
): Promise<readonly FeedFile[]> {
  const { files, ignored } = await listFeedFiles(path).catch((error: unknown) => {
    throw new CommandError(`Cannot read ${path}: ${describeFeedError(error)}`)
  })
  const isFolder = files.length !== 1 || files[0]?.path !== path
  const isWanted = ({ name }: { readonly name: string }) =>
    !isFolder || pattern?.test(name) !== false
  const wanted = files.filter(isWanted)
  const left = [...ignored, ...files.filter((file) => !isWanted(file)).map(({ name }) => name)]
  if (left.length > 0) io.note(toPrintable(`Skipped in ${path}: ${left.sort().join(', ')}`))
  if (wanted.length === 0) throw new CommandError(`Cannot load ${path}: it contains no feed`)
  return Promise.all(wanted.map((file) => createLocalFeed(file, isFolder)))
}

async function createLocalFeed(
  file: { readonly path: string; readonly bytes: number },
  isFound: boolean,
): Promise<FeedFile> {
  const { path, bytes } = file
  const { mtimeMs } = await stat(path)
  return {
    name: path,
    isFound,
    bytes,
    fingerprint: `${bytes} ${mtimeMs}`,
    open: ({ onBytes }) => readFeedFile(path, { onRead: onBytes }),
  }
}

function describeFeedError(error: unknown): string {
  return error instanceof ServiceError
    ? describeErrorCode(error.message.replace(/^.*: /, ''))
    : 'unknown reason'
}
