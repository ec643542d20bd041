import { describe, expect, it } from 'vitest'
import { openGrammars } from '../../../adapters/scanner/grammars.ts'
import { createPackageTable } from '../../../core/code-scanner/packages/table.ts'
import { scanProject } from '../../../core/code-scanner/scan-project.ts'
import { grammars, skipsSyntax } from './scan.ts'

const { findPackage } = createPackageTable()
const grammarsOfPython = await openGrammars(['python'])

describe.skipIf(!grammarsOfPython)('a library of a product that people run themselves', () => {
  it('is reported with a modest confidence', async () => {
    const text = `import os
import weaviate
client = weaviate.connect_to_weaviate_cloud(cluster_url=os.environ["WEAVIATE_URL"])
`
    const { findings } = await scanProject({
      files: [
        { path: 'search/store.py', text },
        { path: 'requirements.txt', text: 'weaviate-client==4.9.0\n' },
      ],
      grammars: grammarsOfPython,
      catalogue: { match: () => undefined },
      ...createPackageTable(),
    })
    expect(findings.map(({ via, confidence, kind }) => ({ via, confidence, kind }))).toEqual([
      { via: 'manifest', confidence: 0.6, kind: 'vector-store' },
      { via: 'import', confidence: 0.6, kind: 'vector-store' },
    ])
  })
})

describe('a library for many services', () => {
  it.each([
    ['javascript', 'media-kit/lib/providers/vimeo', 'https://api.vimeo.com'],
    ['javascript', '@acme/media/provider/twitch-clip.js', 'https://api.twitch.tv/helix'],
    ['javascript', '@acme/signin/strategies/GitHubStrategy', 'https://api.github.com'],
    ['javascript', 'alerts/services/chat/slack', 'https://slack.com/api'],
    ['go', 'github.com/acme/alerts/pkg/services/discord', 'https://discord.com/api'],
  ])('names a service in the path of a module: %s %s', (family, module, url) => {
    expect(findPackage({ family, module })).toMatchObject({ url, isGuess: true })
  })

  it.each([
    ['javascript', './providers/vimeo'],
    ['javascript', '@/lib/providers/vimeo'],
    ['javascript', '~/providers/vimeo'],
    ['javascript', 'src/providers/vimeo'],
    ['javascript', '@app/core/services/slack'],
    ['javascript', '@acme/providers/vimeo'],
    ['javascript', 'media-kit/lib/vimeo'],
    ['javascript', 'media-kit/lib/providers/stream'],
    ['javascript', 'media-kit/lib/providers/snowflake'],
    ['javascript', 'media-kit/lib/providers/local/disk'],
    ['python', 'shop.providers.vimeo'],
    ['go', 'providers/slack'],
  ])('is no other module: %s %s', (family, module) => {
    expect(findPackage({ family, module })).toBeUndefined()
  })

  it.skipIf(skipsSyntax)('is reported with a modest confidence, once per use', async () => {
    const text = `const Vimeo = require('media-kit/lib/providers/vimeo')
import { lookup } from '@acme/shop/services/slack'
require('media-kit/lib/providers/twitch').setKey(key)
`
    const own = '{"name": "@acme/shop"}'
    const files = [
      { path: 'a.js', text },
      { path: 'package.json', text: own },
    ]
    const catalogue = { match: () => undefined }
    const { findings } = await scanProject({ files, grammars, catalogue, ...createPackageTable() })
    expect(findings.map(({ line, url, confidence }) => [line, url, confidence])).toEqual([
      [1, 'https://api.vimeo.com', 0.6],
      [3, 'https://api.twitch.tv/helix', 0.6],
    ])
  })
})
