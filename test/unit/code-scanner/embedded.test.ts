// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are sources of programs
import { describe, expect, it } from 'vitest'
import { scanFiles, skipsSyntax } from './scan.ts'

async function findUrls(path: string, text: string): Promise<readonly string[]> {
  const { findings } = await scanFiles({ [path]: text })
  return findings.map(({ via, url }) => `${via} ${url}`)
}

describe.skipIf(skipsSyntax)('a script of a workflow', () => {
  it('is JavaScript if the step says so', async () => {
    const text = [
      'steps:',
      '  - uses: actions/github-script@v8',
      '    with:',
      '      script: |',
      "        // fetch('https://no.acme.io/v1')",
      "        await fetch('https://api.acme.io/v1/say?a=${{ b }}')",
    ].join('\n')
    expect(await findUrls('.github/workflows/say.yml', text)).toEqual([
      'call https://api.acme.io/v1/say?a={}',
    ])
  })
})

describe.skipIf(skipsSyntax)('a URL that a browser requests', () => {
  it.each([
    [
      'a player',
      'a.tsx',
      'export const A = ({ id }) => <iframe src={`https://player.acme-tv.com/video/${id}`} />',
      'literal https://player.acme-tv.com/video/{}',
    ],
    [
      'a viewer',
      'a.tsx',
      'export const A = ({ f }) => <iframe src={`https://docs.acme-view.io/op/embed.aspx?src=${f}`} />',
      'literal https://docs.acme-view.io/op/embed.aspx?src={}',
    ],
    [
      'an image',
      'a.tsx',
      'export const A = ({ h }) => <img src={`https://www.gravatar.com/avatar/${h}?s=80`} />',
      'literal https://www.gravatar.com/avatar/{}?s=80',
    ],
    [
      'an icon of a site',
      'a.rs',
      'fn icon(of: &str) -> String { match of { "g" => "https://www.google.com/s2/favicons?domain={}".to_owned(), _ => of.to_owned() } }',
      'literal https://www.google.com/s2/favicons?domain={}',
    ],
    [
      'attributes of a frame',
      'a.js',
      '$("<iframe>").attr({ id: "p", src: `https://acme-tv.com/embed/${id}?autoplay=1` })',
      'literal https://acme-tv.com/embed/{}?autoplay=1',
    ],
    [
      'a member of a class',
      'a.js',
      "class Show { static origin = 'https://embed.acme-tv.com'\n start(id) { const source = new URL(`${Show.origin}/watch/${id}`) } }",
      'literal https://embed.acme-tv.com/watch/{}',
    ],
    [
      'CoffeeScript',
      'a.coffee',
      'meta.embed =\n  tag: "iframe"\n  src: "https://acme-tv.com/embed?clip=#{data.id}"',
      'literal https://acme-tv.com/embed?clip={}',
    ],
    [
      'a string of several lines',
      'a.coffee',
      'meta.embed =\n  src: "https://acme-tv.com/e/#{id}?\\\n    start=1"\n  tag: "a"',
      'literal https://acme-tv.com/e/{}?start=1',
    ],
    [
      'a page that is chosen later',
      'a.tsx',
      "export const A = (p) => { let id = ''\n const m = p.f.match(/a/)\n if (m) { id = m[1] }\n return <iframe src={`https://acme-tv.com/embed/${id}`} /> }",
      'literal https://acme-tv.com/embed/',
    ],
    [
      'an authorization endpoint',
      'a.ts',
      "export function login(res, q) { const url = 'https://acme-id.com/1/authorize?' + q\n return res.redirect(url) }",
      'base https://acme-id.com/1/authorize?{}',
    ],
  ])('is found: %s', async (_, path, text, wanted) => {
    expect(await findUrls(path, text)).toEqual([wanted])
  })

  it.each([
    [
      'a fixed player',
      'export const A = () => <iframe src="https://player.acme-tv.com/video/1" />',
    ],
    ['a fixed image', 'export const A = () => <img src="https://www.gravatar.com/avatar/1" />'],
    [
      'a link',
      'export const A = ({ id }) => <a href={`https://player.acme-tv.com/video/${id}`} />',
    ],
    [
      'another image',
      'export const A = ({ id }) => <img src={`https://acme-tv.com/img/${id}.png`} />',
    ],
    ['an unknown host', 'export const A = ({ h }) => <iframe src={`https://${h}/embed/1`} />'],
    ['a page after the login', "res.redirect('https://acme-id.com/authorized?' + q)"],
    ['a comparison', "url.startsWith('https://acme-id.com/oauth/authorize?')"],
    ['an error', 'throw new Error(`https://acme-tv.com/embed/${id}`)'],
  ])('is no other URL: %s', async (_, text) => {
    expect(await findUrls('a.tsx', text)).toEqual([])
  })
})
