import type { PageResult, ViewedRequest } from '../page.ts'
import { type ScanKind, toScanPath } from './paths.ts'

/** Matches a scan to the current catalogue. */
export async function handleMatch(request: ViewedRequest, kind: ScanKind): Promise<PageResult> {
  const name = { kind, id: request.params.id ?? '' }
  await request.app.scans.rematch(request.viewer.caller.account, name)
  return { kind: 'redirect', to: `${toScanPath(name)}?done=matched` }
}
