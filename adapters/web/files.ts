import type { HttpResponse } from '../../core/index.ts'
import type { Assets } from './assets.ts'
import { CONSOLE } from './page.ts'
import { findPicture, PICTURES } from './pictures.ts'
import { toHttpResponse } from './responses.ts'

/** Serves static files and category pictures; returns undefined for other paths. */
export function serveFile(
  { method, path }: { readonly method: string; readonly path: string },
  assets: Assets,
): HttpResponse | undefined {
  const isPicture = path.startsWith(PICTURES)
  if (!isPicture && !path.startsWith(ASSETS)) return undefined
  if (!READS.has(method)) return READ_ONLY
  if (isPicture) return servePicture(path.slice(PICTURES.length))
  return serveAsset(assets, path.slice(ASSETS.length))
}

const ASSETS = `${CONSOLE}/assets/`
const READS = new Set(['GET', 'HEAD'])
const READ_ONLY = toHttpResponse({
  status: 405,
  headers: { allow: 'GET, HEAD' },
  body: undefined,
})
const MISSING = toHttpResponse({ status: 404, headers: {}, body: undefined })

/** Pictures may be embedded by other sites. */
function servePicture(name: string): HttpResponse {
  const picture = findPicture(name)
  if (picture === undefined) return MISSING
  return toHttpResponse({
    status: 200,
    headers: {
      'content-type': 'image/svg+xml',
      'cache-control': 'public, max-age=86400',
      'cross-origin-resource-policy': 'cross-origin',
    },
    body: picture,
  })
}

function serveAsset(assets: Assets, name: string): HttpResponse {
  const asset = assets.find(name)
  if (!asset) return MISSING
  return toHttpResponse({
    status: 200,
    headers: {
      'content-type': asset.mediaType,
      'cache-control': 'public, max-age=31536000, immutable',
    },
    body: asset.bytes,
  })
}
