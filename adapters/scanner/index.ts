export { parsePackageRows } from '../../core/code-scanner/packages/rows.ts'
export { openGrammars } from './grammars.ts'
export {
  captureLive,
  type LiveEnd,
  type LiveFlows,
  type LiveOptions,
  repeatAtInterval,
} from './live/capture-live.ts'
export { CaptureError } from './live/capture-tool.ts'
export {
  type BatchChange,
  openSpool,
  type Spool,
  type SpooledBatch,
  type SpooledScan,
} from './live/spool.ts'
export {
  type ScanFolderOptions,
  type ScanProgress,
  scanFolder,
} from './scan-folder.ts'
