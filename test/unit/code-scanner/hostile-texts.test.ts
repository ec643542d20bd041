import { describe, expect, it } from 'vitest'
import { stringCommands } from '../../../core/code-scanner/commands/embedded.ts'
import { terraformCommands } from '../../../core/code-scanner/commands/terraform-commands.ts'
import { powershellCommands } from '../../../core/code-scanner/commands/windows-commands.ts'
import { scriptTagReader } from '../../../core/code-scanner/config/script-tags.ts'
import { readDockerfile } from '../../../core/code-scanner/formats/dockerfile.ts'
import { manifestReader } from '../../../core/code-scanner/manifests/reader.ts'
import { findOwnSites } from '../../../core/code-scanner/packages/own-hosts.ts'
import { createPackageTable } from '../../../core/code-scanner/packages/table.ts'
import { tidyJoint } from '../../../core/code-scanner/resolve/joined-urls.ts'
import { scanFiles } from './scan.ts'

const API = 'https://api.pay.net/v1'

/** Inputs that are expensive to parse: a start with one address, then a repeated part. */
const TEXTS: readonly (readonly [path: string, head: string, pump: string])[] = [
  ['a.json', `{"api_url":"${API}","b":`, '"\\'],
  ['a.json', `{"api_url":"${API}","b":"\\`, '"\\'],
  ['a.json', `{"api_url":"${API}"}`, '/*'],
  ['a.json', `{"api_url":"${API}"}`, ' \n'],
  ['a.json', `{"api_url":"${API}","b_url":"https://a.b.co/`, '{{'],
  ['a.json', `{"api_url":"${API}","b_url":"https://a.b.co`, ',https://a.b.co'],
  ['a.json', `{"api_url":"${API}","b_url":"https://a.b.co`, '/'],
  ['a.yaml', `api_url: ${API}\n`, ' \n'],
  ['a.yaml', `api_url: ${API}\nb: `, '{a:'],
  ['a.yaml', `api_url: ${API}\nb`, ' '],
  ['a.yaml', `api_url: ${API}\nb: "x" x`, ' '],
  ['a.yaml', `api_url: ${API}\nb: \${c:-https://a.b.co`, ' '],
  ['a.yaml', `api_url: ${API}\nb_url: `, 'a;'],
  ['a.yaml', `api_url: ${API}\nb_url: `, '{{'],
  ['a.toml', `api_url = "${API}"\n[a`, '.a'],
  ['a.yaml', `api_url: ${API}\n`, 'run: sh -c "'],
  ['a.yaml', `api_url: ${API}\n`, '- - -\n'],
  ['a.yaml', `api_url: ${API}\nrun: >\n`, ' a\n'],
  ['a.tf', `api_url = "${API}"\nb = `, '"\\'],
  ['a.tf', `api_url = "${API}"\n`, '0.'],
  ['a.tf', `api_url = "${API}"\nb`, ' '],
  ['Dockerfile', `ENV API_URL=${API}\nENV `, 'A'],
  ['app.config', `<a api_url="${API}"/>`, '<!--'],
]

describe('texts that were made to take long', () => {
  // With quadratic work, each would take minutes.
  it.each(TEXTS)('are read to the end: %s', async (path, head, pump) => {
    const text = head + pump.repeat(Math.floor(400_000 / pump.length))
    const { findings } = await scanFiles({ [path]: text })
    expect(findings.map(({ url }) => url)).toEqual([API])
  })

  it.each([
    [stringCommands, 'curl https://a.b.co\n', 'sh <<A\nb\n'],
    [stringCommands, 'curl https://a.b.co\n', 'sh <<'],
    [terraformCommands, 'command = "curl https://a.b.co"\n', '<<A\nb\n'],
    [terraformCommands, 'command = "curl https://a.b.co"\n', 'inline = ['],
    [powershellCommands, 'curl https://a.b.co\n', '<#'],
  ] as const)('are searched for commands: case %#', (findCommands, head, pump) => {
    const text = head + pump.repeat(Math.floor(2_000_000 / pump.length))
    const found = findCommands(text)
    expect(found).toHaveLength(text.length)
    expect(found.slice(0, head.length)).toContain('curl https://a.b.co')
  })

  it('are read to the end where blanks follow the group of a build', () => {
    const text = `group 'io.acme'\ngroup${' '.repeat(1_000_000)}`
    expect(findOwnSites({ path: 'build.gradle', text }).ownHosts).toEqual(['acme.io'])
  })

  it('are read to the end where Terraform has many zones without a name', () => {
    const zone = 'resource "aws_route53_zone" "a" {\n  name = "'
    expect(
      findOwnSites({ path: 'a.tf', text: `${zone}acme.io"\n${zone.repeat(40_000)}` }).ownHosts,
    ).toEqual(['acme.io'])
  })

  it('are read to the end where a Dockerfile adds many repositories in one word', () => {
    const text = `ADD ${API} /a\nADD ${'http://.git'.repeat(200_000)}`
    expect(readDockerfile(text).map(({ value }) => value)).toEqual([API])
  })

  it('are read to the end where slashes end a joined path', () => {
    expect(tidyJoint('a//b')).toBe('a/b')
    const text = `a${'/'.repeat(400_000)}`
    expect(tidyJoint(text)).toBe(text)
  })

  it('are read to the end where slashes precede a URL within a path', () => {
    expect(tidyJoint('https://a.net/save/https://b.net/x')).toBe('https://a.net/save/{}')
    const text = `https://a.net/${'b/'.repeat(200_000)}`
    expect(tidyJoint(text)).toBe(text)
  })

  it('are read to the end where the names of classes are long', async () => {
    const name = `${'Host'.repeat(45_000)}$`
    const lines = Array.from({ length: 15 }, (_, at) => {
      return `const a${at} = new ${name}('${API}')\nfetch('https://' + a${at}.host + '/v1')`
    })
    const { findings } = await scanFiles({ 'a.ts': `${lines.join('\n')}\nfetch('${API}')` })
    expect(findings.at(-1)?.url).toBe(API)
  })

  it('are read to the end where many tags do not end', async () => {
    const text = '<script '.repeat(50_000) + ' '.repeat(100_000)
    expect((await scanFiles({ 'a.erb': text })).findings).toEqual([])
  })

  it('are read to the end where a line has many scripts', () => {
    const script = '<script src="https://js.stripe.com/v3/"></script>'
    const text = script.repeat(50_000) + '\n'.repeat(4000)
    expect(scriptTagReader.read({ path: 'index.html', text }, {})).toHaveLength(50_000)
  })

  it('are read to the end where a line has many packages', () => {
    const text = `{"dependencies":{${'"openai":"1",'.repeat(86_000)}}}${'\n'.repeat(4000)}`
    const found = manifestReader.read({ path: 'package.json', text }, createPackageTable())
    expect(found).toHaveLength(86_000)
  })

  it('are read to the end where blanks precede no plugin', () => {
    const text = `'@sentry/node',\n${' '.repeat(400_000)}x`
    const found = manifestReader.read({ path: 'app.config.js', text }, createPackageTable())
    expect(found).toHaveLength(1)
  })

  it('are read to the end where lists of dependencies do not end', async () => {
    const text = '"dependencies":{'.repeat(100_000)
    expect((await scanFiles({ 'package.json': `{${text}` })).findings).toEqual([])
  })

  it('are read to the end where a name is made of its own members', async () => {
    const text = `let parts = read()
parts = parts.text.split('-')
parts.map((part) => part.trim())
fetch('${API}')
`
    const { findings } = await scanFiles({ 'a.ts': text })
    expect(findings.map(({ url }) => url)).toEqual([API])
  })

  it('are read to the end where a value of .env has many marks', async () => {
    const value = `https://a.b.co${',https://a.b.co'.repeat(60)} x`
    const { findings } = await scanFiles({ '.env': `A_URL=${API}\nB_URL=${value}` })
    expect(findings.map(({ url }) => url)).toEqual([API])
  })

  it('are read to the end where files hand on all of each other', async () => {
    const numbers = Array.from({ length: 30 }, (_, number) => number)
    const all = numbers.map((number) => `export * from './f${number}'`).join('\n')
    const files = numbers.map((number) => [`f${number}.ts`, `${all}\nfetch('${API}/${number}')`])
    const { findings } = await scanFiles({
      ...Object.fromEntries(files),
      'f29.ts': `${all}\nexport const LAST = '${API}/last'`,
      'a.ts': `import { LAST, MISSING } from './f0'\nfetch(MISSING + '/x')\nfetch(LAST)`,
    })
    expect(findings.filter(({ file }) => file === 'a.ts').map(({ url }) => url)).toEqual([
      `${API}/last`,
    ])
  })

  it('are read to the end where each file multiplies a text of another', async () => {
    const files: Record<string, string> = { 'f0.ts': `export const t0 = '${API}'` }
    for (let at = 1; at < 8; at += 1) {
      const parts = `\${t${at - 1}}/`.repeat(20)
      files[`f${at}.ts`] =
        `import { t${at - 1} } from './f${at - 1}'\nexport const t${at} = \`${parts}\`\nfetch('${API}')`
    }
    const text = `import { t7 } from './f7'\nfetch('${API}/' + t7)\nfetch('${API}/b')`
    const { findings } = await scanFiles({ ...files, 'a.ts': text })
    expect(findings.some(({ file, url }) => file === 'a.ts' && url === `${API}/b`)).toBe(true)
  })

  it('are read to the end where a record has very many members', async () => {
    const members = Array.from({ length: 15_000 }, (_, at) => `k${at}: '${API}/${at}',`).join('\n')
    const { findings } = await scanFiles({ 'a.ts': `export const endpoints = {\n${members}\n}` })
    expect(findings[0]?.url).toBe(`${API}/0`)
  })
})
