import fc from 'fast-check'
import { expect, test } from 'vitest'
import { renderMarkdown } from '../../../adapters/web/parts/markdown.ts'
import { codePoint } from '../../helpers/code-point.ts'
import { runs } from '../../helpers/runs.ts'

const TAGS =
  /^<(?:p|h[3-6]|ul|ol|li|pre|code|table|thead|tbody|tr|th|td|em|strong|s|blockquote|hr|br)>$|^<\/(?:p|h[3-6]|ul|ol|li|pre|code|table|thead|tbody|tr|th|td|em|strong|s|blockquote|a)>$|^<a href="https?:\/\/[^"<>]*" rel="noopener noreferrer nofollow" target="_blank">$/i

/** Everything between `<` and `>`, which texts do not contain. */
function expectTame(text: string): void {
  const drawn = renderMarkdown(text).text
  const tags = drawn.match(/<[^>]*>/g) ?? []
  expect(tags.filter((tag) => !TAGS.test(tag))).toEqual([])
  expect(drawn.replaceAll(/<[^>]*>/g, '')).not.toMatch(/[<>"]/)
}

test('draws what is allowed, and nothing else of it', () => {
  const text = `Intro *one* **two** ~~three~~ \`<four>\`  
line

# Title
### Deeper
## Sub

1. first
   - inner

> said

| a | |
|---|:-:|
| 1 | 2 |

---

\`\`\`html onclick=x
<script>alert(1)</script>
\`\`\`

[site](https://a.example/?q="x" "title") <https://b.example> [](https://c.example)`
  expect(renderMarkdown(text).text.split('\n').filter(Boolean)).toEqual([
    '<p>Intro <em>one</em> <strong>two</strong> <s>three</s> <code>&lt;four&gt;</code><br>',
    'line</p>',
    '<h3>Title</h3>',
    '<h4>Deeper</h4>',
    '<h4>Sub</h4>',
    '<ol><li>first<ul><li>inner</li>',
    '</ul>',
    '</li>',
    '</ol>',
    '<blockquote><p>said</p>',
    '</blockquote>',
    '<table><thead><tr><th>a</th><td></td></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table>',
    '<hr>',
    '<pre><code>&lt;script&gt;alert(1)&lt;/script&gt;',
    '</code></pre>',
    '<p><a href="https://a.example/?q=%22x%22" rel="noopener noreferrer nofollow" target="_blank">site</a> <a href="https://b.example" rel="noopener noreferrer nofollow" target="_blank">https://b.example</a> <a href="https://c.example" rel="noopener noreferrer nofollow" target="_blank">https://c.example</a></p>',
  ])
})

test('makes links of pictures, and texts of markup and of addresses that run something', () => {
  expect(renderMarkdown('![cat](https://a.example/cat.png)').text).toBe(
    '<p><a href="https://a.example/cat.png" rel="noopener noreferrer nofollow" target="_blank">cat</a></p>\n',
  )
  for (const text of [
    '<img src=x onerror=alert(1)>',
    '<script>alert(1)</script>',
    '<svg/onload=alert(1)>\n\n<a href="javascript:alert(1)">x</a>',
    '[x](javascript:alert(1)) [x](JaVaScRiPt&colon;alert(1)) [x](&#106;avascript:alert(1))',
    '[x](data:text/html,<script>alert(1)</script>) ![x](vbscript:x)',
    '[x](//evil.example) [x](mailto:a@b.example) [x](/console/logout)',
    '[x]\n\n[x]: javascript:alert(1)',
    '<javascript:alert(1)> <https://a.example/"onclick=alert(1)>',
    '[a](https://a.example/"onmouseover="alert(1)) ![](https://a.example/"><script>)',
    '| <b onclick=x> |\n|---|\n| <i style=x> |',
  ]) {
    expectTame(text)
    expect(renderMarkdown(text).text).not.toMatch(/href="(?!https?:)/)
  }
})

test('draws nothing but allowed tags, whatever the text', () => {
  const piece = fc.oneof(
    fc.string({ unit: codePoint, maxLength: 12 }),
    fc.constantFrom(
      ...['[', ']', '(', ')', '![', '](', '<', '>', '"', "'", '`', '```', '~~~', '*', '**', '_'],
      ...[
        '\n',
        '\n\n',
        '    ',
        '# ',
        '- ',
        '1. ',
        '> ',
        '|',
        '|-|',
        '---',
        '&#',
        '&lt;',
        ':',
        '\\',
      ],
      ...[
        'javascript:',
        'data:',
        'https://a.example',
        'onerror=',
        '<script>',
        '<!--',
        '\0',
        '\ud800',
      ],
    ),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => expectTame(pieces.join(''))),
    { seed: 7, numRuns: runs(200) },
  )
})

test('draws no more than 64 KiB of a text, and no table that grows out of little', () => {
  const long = `${'a'.repeat(70_000)} end`
  expect(renderMarkdown(long).text).toBe(`<p>${'a'.repeat(65_536)}</p>\n<p>… (truncated)</p>`)
  const wide = `${'|a'.repeat(2000)}\n${'|-'.repeat(2000)}\n${'|x\n'.repeat(10_000)}`
  expect(renderMarkdown(wide).text.length).toBeLessThan(2 * wide.length)
  for (const each of ['[', '![', '<', '*a ', '> ', '`a', '&', '[a](', '- ', '|']) {
    expectTame(each.repeat(1000))
  }
})
