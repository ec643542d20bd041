import { expect, test } from 'vitest'
import { renderGuide } from '../../../adapters/web/guides/guides.ts'

function render(text: string) {
  return renderGuide('guides/any', `# Any *title*\n\n${text}`)
}

test('returns the title, the first sentence and the sections', () => {
  const { title, summary, sections } = render(
    'It reads `a.b` of 1.5,\n1.6 and 2.0: fast. More.\n\n## One `two`\n\n### Deep\n\n## One two\n\n## Ünï-code & more!',
  )
  expect([title, summary]).toEqual(['Any title', 'It reads a.b of 1.5, 1.6 and 2.0.'])
  expect(sections.map(({ id, title: { text } }) => [id, text])).toEqual([
    ['one-two', 'One <code>two</code>'],
    ['one-two-1', 'One two'],
    ['ünï-code--more', 'Ünï-code &amp; more!'],
  ])
})

test('requires a title', () => {
  expect(() => renderGuide('guides/any', 'No title.')).toThrow('guides/any begins without a title')
})

test('omits comments and shows other HTML as text', () => {
  const { body } = render(
    '<!-- run: x -->\n\nText <!-- y --> <b onclick=x>bold</b>\n\n<script>alert(1)</script>',
  )
  expect(body.text).toBe(
    '<p>Text  &lt;b onclick=x&gt;bold&lt;/b&gt;</p>\n&lt;script&gt;alert(1)&lt;/script&gt;',
  )
})

test.each([
  ['[a](search.md#b)', '<a href="/console/guides/search#b">a</a>'],
  ['[a](../reference/cli.md)', '<a href="/console/guides/cli">a</a>'],
  ['[a](#b)', '<a href="#b">a</a>'],
  [
    '[a](https://b.example/)',
    '<a href="https://b.example/" rel="noopener noreferrer nofollow" target="_blank">a</a>',
  ],
  ['[c.ts](../../examples/c.ts)', '<code>examples/c.ts</code>'],
  ['[examples/c.ts](../../examples/c.ts)', '<code>examples/c.ts</code>'],
  ['[Layers](../architecture.md#x), too', 'Layers: <code>docs/architecture.md</code>, too'],
  ['[a](../../../../etc/passwd)', 'a: <code>etc/passwd</code>'],
  [
    '![a "b"](../images/vulnerabilities.png)',
    '<img src="/console/guides/pictures/vulnerabilities" alt="a &quot;b&quot;">',
  ],
  ['![a](../images/other.png)', 'a'],
])('converts %s', (markdown, expected) => {
  expect(render(markdown).body.text).toBe(`<p>${expected}</p>\n`)
})

test('adds a copy button to code, not to output', () => {
  const { body } = render('```sh\nrun "it"\n```\n\n```console\n$ run\n```')
  expect(body.text).toBe(
    '<div class="copy"><pre id="block-0" tabindex="0">run &quot;it&quot;</pre><button type="button" class="second" data-copy="block-0">Copy</button></div>\n<pre tabindex="0">$ run</pre>\n',
  )
})

test('renders tables that phones show as cards, without styles', () => {
  const { body } = render('| A `b` | C |\n|:-:|--:|\n| 1 | [x](search.md) |\n| 2 | |')
  expect(body.text.replaceAll('\n', '')).toBe(
    '<div class="scroll"><table role="table"><thead role="rowgroup"><tr role="row"><th scope="col" role="columnheader">A <code>b</code></th><th scope="col" role="columnheader">C</th></tr></thead><tbody role="rowgroup"><tr role="row"><td role="cell" data-title="A b">1</td><td role="cell" data-title="C"><a href="/console/guides/search">x</a></td></tr><tr role="row"><td role="cell" data-title="A b">2</td><td role="cell" data-title="C"></td></tr></tbody></table></div>',
  )
})
