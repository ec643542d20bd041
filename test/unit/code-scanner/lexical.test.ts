import { describe, expect, it } from 'vitest'
import { scanProject } from '../../../core/code-scanner/scan-project.ts'

/** Scans one file without grammars. Returns findings as `line via method url`. */
async function findUrls(path: string, lines: readonly string[]): Promise<readonly string[]> {
  const { findings } = await scanProject({
    files: [{ path, text: lines.join('\n') }],
    grammars: undefined,
    catalogue: { match: () => undefined },
  })
  return findings.map(({ line, via, method, url }) => `${line} ${via} ${method ?? '-'} ${url}`)
}

describe('languages without a grammar', () => {
  it.each([
    [
      'A.kt',
      [
        'const val BASE = "https://api.acme.io/v1" // https://no.acme.io',
        `suspend fun a(id: Int) = client.get("$BASE/users/\${id}")`,
        'val r = Request.Builder().url(BASE + "/orders").post(body).build()',
      ],
      [
        '1 base - https://api.acme.io/v1',
        '2 call get https://api.acme.io/v1/users/{}',
        '3 call - https://api.acme.io/v1/orders',
      ],
    ],
    [
      'A.swift',
      [
        'let baseURL = "https://api.acme.io/v1"',
        `let url = URL(string: "\\(baseURL)/users")!`,
        'AF.request("https://b.acme.io/v1/x", method: .post)',
      ],
      [
        '1 base - https://api.acme.io/v1',
        '2 base - https://api.acme.io/v1/users',
        '3 call - https://b.acme.io/v1/x',
      ],
    ],
    [
      'a.dart',
      [`final r = await http.post(Uri.parse('https://api.acme.io/v1/users'), body: {});`],
      ['1 call post https://api.acme.io/v1/users'],
    ],
    [
      'a.ex',
      [
        '@base "https://api.acme.io/v1"',
        `HTTPoison.get!(@base <> "/users")`,
        '# "https://no.acme.io/api"',
      ],
      ['1 base - https://api.acme.io/v1', '2 call get https://api.acme.io/v1/users'],
    ],
    [
      'a.pl',
      [`my $r = $ua->get('https://api.acme.io/v1/users');`],
      ['1 call get https://api.acme.io/v1/users'],
    ],
    [
      'a.lua',
      ['-- "https://no.acme.io/api"', `local r = http.request("https://api.acme.io/v1" .. path)`],
      ['2 call - https://api.acme.io/v1{}'],
    ],
    [
      'a.cpp',
      ['curl_easy_setopt(curl, CURLOPT_URL, "https://api.acme.io/v1/users");'],
      ['1 call - https://api.acme.io/v1/users'],
    ],
  ])('are read in %s', async (path, lines, wanted) => {
    expect(await findUrls(path, lines)).toEqual(wanted)
  })

  it('say nothing in comments and in texts for people', async () => {
    expect(
      await findUrls('A.kt', [
        '/* val a = "https://api.acme.io/v1" */',
        '// client.get("https://api.acme.io/v1")',
        'println("See https://acme.io/help for more")',
      ]),
    ).toEqual([])
  })

  it('are how other languages are read where there are no grammars', async () => {
    expect(
      await findUrls('a.py', [
        '# https://no.acme.io/v1',
        'requests.get("https://api.acme.io/v1/a")',
      ]),
    ).toEqual(['2 call get https://api.acme.io/v1/a'])
  })

  it('end, whatever a text holds', async () => {
    const texts = [
      '('.repeat(20_000),
      '"'.repeat(20_001),
      'a.'.repeat(20_000),
      'f(x:'.repeat(20_000),
    ]
    for (const text of texts)
      expect(await findUrls('a.kt', [`"https://api.acme.io" ${text}`])).toBeDefined()
  })
})
