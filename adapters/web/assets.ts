import { toSha256Hex } from '../../core/shared/digests.ts'
import type { AssetLinks } from './layout.ts'
import { readPackageFile } from './package-files.ts'
import { CONSOLE } from './page.ts'

/** A static file of the console. */
export interface Asset {
  readonly mediaType: string
  readonly bytes: Uint8Array
}

/** The static files of the console and their URLs. */
export interface Assets {
  readonly links: AssetLinks
  /** Finds a file by its name below `/console/assets/`; undefined for other names. */
  find(name: string): Asset | undefined
}

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
}

/** Located in `assets`, next to this file or the built one. */
const FILES = ['console.css', 'htmx.min.js', 'console.js', 'icon.svg'] as const

/** Location of htmx when the console runs from its sources. */
const PACKAGED: Readonly<Record<string, string>> = {
  'htmx.min.js': '../../node_modules/htmx.org/dist/htmx.min.js',
}

/** Reads the files once. Their URLs contain digests, so that browsers may cache them forever. */
export async function openAssets(): Promise<Assets> {
  const byName = new Map<string, Asset>()
  const links = new Map<string, string>()
  for (const file of FILES) {
    const bytes = await readAsset(file)
    if (bytes === undefined) continue
    const [stem = '', ...endings] = file.split('.')
    const digest = (await toSha256Hex(bytes)).slice(0, 12)
    const name = `${stem}-${digest}.${endings.join('.')}`
    byName.set(name, { mediaType: MEDIA_TYPES[endings.at(-1) ?? ''] ?? '', bytes })
    links.set(file, `${CONSOLE}/assets/${name}`)
  }
  const link = (file: (typeof FILES)[number]) => links.get(file) ?? ''
  return {
    links: {
      style: link('console.css'),
      scripts: [link('htmx.min.js'), link('console.js')].filter((address) => address !== ''),
      icon: link('icon.svg'),
    },
    find: (name) => byName.get(name),
  }
}

/** Reads an asset; undefined if htmx is not installed, because pages work without it. */
async function readAsset(file: string): Promise<Uint8Array | undefined> {
  const beside = new URL(`./assets/${file}`, import.meta.url)
  const packaged = PACKAGED[file]
  if (packaged === undefined) {
    const bytes = await readPackageFile(beside)
    if (bytes === undefined) throw new Error(`Cannot open the console: ${beside} is missing`)
    return bytes
  }
  if (beside.protocol !== 'file:') return undefined
  return (await readPackageFile(beside)) ?? readPackageFile(new URL(packaged, import.meta.url))
}
