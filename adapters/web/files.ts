import type { HttpResponse } from '../../core/index.ts'
import type { Assets } from './assets.ts'
import { CONSOLE } from './page.ts'
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

/** Path of the category pictures, used by the catalogue. */
const PICTURES = '/images/categories/'

/** Line drawings on a grid of 24, by the category's name in its path. */
const GLYPHS: Readonly<Record<string, string>> = {
  'artificial-intelligence-data-science':
    'M7 7h10v10H7zM10 2v5M14 2v5M10 17v5M14 17v5M2 10h5M2 14h5M17 10h5M17 14h5',
  'business-technology': 'M3 8h18v12H3zM9 8V4h6v4M3 13h18',
  'ecommerce-trade': 'M2 4h3l3 11h10l3-8H6M9 20h.01M17 20h.01',
  'environment-weather': 'M7 18h10a4 4 0 0 0 0-8 6 6 0 0 0-11-1 4.5 4.5 0 0 0 1 9z',
  'finance-banking': 'M3 9l9-6 9 6zM5 9v9M10 9v9M14 9v9M19 9v9M3 21h18',
  'geoinformatics-navigation':
    'M12 22s7-7 7-12a7 7 0 0 0-14 0c0 5 7 12 7 12zM12 12.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z',
  'government-public-services': 'M5 22V3M5 4h13l-3 4 3 4H5',
  'health-science-medicine': 'M9 3h6v6h6v6h-6v6H9v-6H3V9h6z',
  'information-science': 'M12 22a10 10 0 1 0 0-20 10 10 0 0 0 0 20zM12 11v6M12 7h.01',
  'justice-public-safety': 'M12 3v18M6 21h12M4 7h16M4 7l-2 6h6L6 7M20 7l-2 6h4zM12 3h.01',
  'logistics-infrastrcture': 'M12 2l9 5v10l-9 5-9-5V7zM3 7l9 5 9-5M12 12v10',
  'natural-resources-energy': 'M13 2L5 14h6l-1 8 9-12h-6z',
  'news-media': 'M3 4h15v16H5a2 2 0 0 1-2-2zM18 8h3v10a2 2 0 0 1-2 2M7 8h7M7 12h7M7 16h4',
  'religion-spirituality': 'M12 2v3M6 22V12l6-7 6 7v10zM10 22v-5a2 2 0 0 1 4 0v5',
  'research-education': 'M2 9l10-5 10 5-10 5zM6 11v6c3 3 9 3 12 0v-6M22 9v6',
  'sales-marketing': 'M3 10v4l11 5V5zM14 8a4 4 0 0 1 0 8M6 15l1 6h3l-1-5',
  'security-technology': 'M12 2l8 3v6c0 5-4 9-8 11-4-2-8-6-8-11V5zM9 12l2 2 4-4',
  'skills-career-development': 'M3 20h5v-5h5v-5h5V5h3M14 5h7M21 5v6',
  'social-media-technology':
    'M6 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM18 8a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM18 22a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM8.7 10.6l6.6-4M8.7 13.4l6.6 4',
  'software-services': 'M8 6l-6 6 6 6M16 6l6 6-6 6M14 3l-4 18',
  'sports-entertainment':
    'M7 3h10v7a5 5 0 0 1-10 0zM7 5H3v2a4 4 0 0 0 4 4M17 5h4v2a4 4 0 0 1-4 4M12 15v5M8 21h8',
  'transportation-automobile':
    'M3 17v-5l3-7h12l3 7v5zM3 12h18M5 17v3M19 17v3M7 14.5h.01M17 14.5h.01',
  'work-personal-assistance': 'M4 4h16v17H4zM8 2v4M16 2v4M4 9h16M8 15l3 3 5-5',
}

const NAMES = Object.keys(GLYPHS)

/**
 * Draws the picture of a category: white lines on a colour of its own. Returns undefined for an
 * unknown one.
 */
function findPicture(file: string): string | undefined {
  const index = NAMES.findIndex((name) => file === `${name}.svg`)
  const name = NAMES[index]
  if (name === undefined) return undefined
  const hue = Math.round((index * 360) / NAMES.length)
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48" width="48" height="48"><rect width="48" height="48" rx="10" fill="hsl(${hue}, 45%, 38%)"/><path transform="translate(12 12)" fill="none" stroke="#fff" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" d="${GLYPHS[name]}"/></svg>\n`
}
