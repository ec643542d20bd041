import { describe, expect, it } from 'vitest'
import { createPackageTable } from '../../../core/code-scanner/packages/table.ts'
import { scanProject } from '../../../core/code-scanner/scan-project.ts'
import { grammars, skipsSyntax } from './scan.ts'

async function findUrls(path: string, text: string): Promise<readonly string[]> {
  const files = [{ path, text }]
  const catalogue = { match: () => undefined }
  const { findings } = await scanProject({ files, grammars, catalogue, ...createPackageTable() })
  return findings.map(({ line, via, url }) => `${line} ${via} ${url}`)
}

describe.skipIf(skipsSyntax)('an object that a script of a vendor defines', () => {
  it.each([
    ['a.js', "const p = new YT.Player('box', o)", 'https://www.googleapis.com/youtube/v3'],
    ['a.ts', 'const map = new google.maps.Map(box)', 'https://maps.googleapis.com'],
    ['a.js', 'window.FB.api("/me", show)', 'https://graph.facebook.com'],
    ['a.coffee', "@show = new Vimeo.Player('box')", 'https://api.vimeo.com'],
    ['a.coffee', "@show = DM.player('box', o)", 'https://api.dailymotion.com'],
  ])('is found in %s: %s', async (path, text, url) => {
    expect(await findUrls(path, text)).toEqual([`1 import ${url}`])
  })

  it.each([
    ['its own class', 'class YT { static Player() {} }\nYT.Player()'],
    ['an imported name', "import { DM } from './dm'\nDM.player('box')"],
    ['another member', 'FB.close(1)'],
    ['a longer name', 'MYYT.Player(1)'],
  ])('is not %s', async (_, text) => {
    expect(await findUrls('a.js', text)).toEqual([])
  })
})
