export { createBrotli } from './compression.ts'
export { type ReadCveFileOptions, readCveFile, unpackCveFile } from './cve-files.ts'
export {
  decompressFeed,
  type FeedFileEntry,
  type FeedFileListing,
  listFeedFiles,
  type ReadFileOptions,
  readFeedFile,
} from './feed-files.ts'
