import type { PageResult, ViewedRequest } from '../page.ts'
import { type ScanKind, toScanPath } from './paths.ts'

/** Matches a scan to the current catalogue. */
export async function answerMatch(request: ViewedRequest, kind: ScanKind): Promise<PageResult> {
  const name = { kind, id: request.params.id ?? '' }
  await request.app.scans.matchAnew(request.viewer.caller.account, name)
  return { kind: 'redirect', to: `${toScanPath(name)}?done=matched` }
}
