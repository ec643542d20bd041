export { type PackageRow, parsePackageRows } from '../../core/scans/project/packages/rows.ts'
export { openGrammars } from './grammars.ts'
export {
  type ScanFolderOptions,
  type ScanProgress,
  scanFolder,
} from './scan-folder.ts'
