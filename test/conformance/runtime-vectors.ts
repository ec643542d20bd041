/** The bytes of a request, one character for each byte, and the response of the suite's handler. */
export interface Vector {
  readonly title: string
  readonly request: string
  /** `GET /a`, several separated by ` ; `, or `refused`: a 4xx or 5xx response, or none. */
  readonly answer: string
}

const REFUSED = 'refused'
const CHUNKED = 'Transfer-Encoding: chunked'
const SMUGGLED = 'GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n'

/** Requests with an ambiguous or broken frame, which the handler never sees. */
export const FRAMES: readonly Vector[] = [
  ...Object.entries({
    'length and chunked': post(['Content-Length: 4', CHUNKED], '0\r\n\r\n'),
    'chunked and length': post([CHUNKED, 'Content-Length: 4'], '0\r\n\r\n'),
    'length, chunked and a second request': post(
      ['Content-Length: 40', CHUNKED],
      `0\r\n\r\n${SMUGGLED}`,
    ),
    'chunked, length and a second request': post(
      [CHUNKED, 'Content-Length: 4'],
      `5c\r\n${SMUGGLED}\r\n0\r\n\r\n`,
    ),
    'two lengths': post(['Content-Length: 3', 'Content-Length: 4'], 'abcd'),
    'equal lengths twice': post(['Content-Length: 3', 'Content-Length: 3'], 'abc'),
    'chunked twice': post([CHUNKED, CHUNKED], '0\r\n\r\n'),
    'space before the colon': post(['Transfer-Encoding : chunked'], '0\r\n\r\n'),
    'space before the colon of a length': post(['Content-Length : 3'], 'abc'),
    'NUL in a header': post(['X-A: a\0b'], ''),
    'a bare CR in a header': post(['X-A: a\rX-B: b'], ''),
    'a folded header': post(['X-A: a', ' b'], ''),
    'a header folded by a tab': post(['X-A: a', '\tb'], ''),
    'a folded coding': post(['Transfer-Encoding:', ' chunked'], '0\r\n\r\n'),
    'a fold before the first header': 'GET /echo HTTP/1.1\r\n X-A: a\r\nHost: a\r\n\r\n',
    'a header without a name': post([': a'], ''),
    'a header without a colon': post(['Nothing'], ''),
    'a space in a header name': post(['X A: b'], ''),
    'a coding of a GET':
      'GET /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n',
    'chunked in HTTP/1.0': `POST /echo HTTP/1.0\r\nHost: a\r\n${CHUNKED}\r\n\r\n0\r\n\r\n`,
  }).map(([title, request]): Vector => ({ title, request, answer: REFUSED })),
  ...['3, 4', '3, 3', '+3', '-1', '0x3', '3a', '3.0', '3 3', '3,', '1_0', '', '9'.repeat(23)].map(
    (length): Vector => ({
      title: `length ${JSON.stringify(length)}`,
      request: post([`Content-Length: ${length}`], 'abc'),
      answer: REFUSED,
    }),
  ),
  ...[
    ...['xchunked', 'chunked, identity', 'chunked, chunked', 'gzip, chunked', 'identity', ''],
    ...['chunked;q=1', '"chunked"', 'chunked\0', '\x0bchunked', 'chunked, ', ', chunked'],
  ].map(
    (coding): Vector => ({
      title: `coding ${JSON.stringify(coding)}`,
      request: post([`Transfer-Encoding: ${coding}`], '0\r\n\r\n'),
      answer: REFUSED,
    }),
  ),
]

/** Chunks, lines, methods, versions, hosts, targets and pipelines. */
export const REQUESTS: readonly Vector[] = [
  ...['g', '-1', '0x3', '3 3', '', '+3', 'f'.repeat(18), ' 3', '3\0'].map(
    (size): Vector => ({
      title: `chunk size ${JSON.stringify(size)}`,
      request: post([CHUNKED], `${size}\r\nabc\r\n0\r\n\r\n`),
      answer: REFUSED,
    }),
  ),
  ...(
    [
      ['a chunk longer than its size', post([CHUNKED], '1\r\nabc\r\n0\r\n\r\n'), REFUSED],
      ['a chunk ended by LF', post([CHUNKED], '3\r\nabc\n0\r\n\r\n'), REFUSED],
      ['a long chunk extension', post([CHUNKED], `3;${'x'.repeat(20_000)}\r\nabc\r\n0\r\n\r\n`)],
      ['chunks', post([CHUNKED], '3\r\nabc\r\n0\r\n\r\n'), 'POST /echo'],
      ['trailers', post([CHUNKED], '3\r\nabc\r\n0\r\nX-A: b\r\n\r\n'), 'POST /echo'],
      ['a coding after a tab', post(['Transfer-Encoding:\tchunked'], '0\r\n\r\n'), 'POST /echo'],
      ['a coding in capitals', post(['Transfer-Encoding: CHUNKED'], '0\r\n\r\n'), 'POST /echo'],
      [
        'an unknown expectation',
        post(['Expect: 200-maybe', 'Content-Length: 0'], ''),
        'POST /echo',
      ],
      ['an upgrade', toGetRequest('/echo', ['Connection: Upgrade', 'Upgrade: x']), 'GET /echo'],
      ['a websocket upgrade', websocket(), 'GET /echo'],
      // A settings frame for stream 1 follows, which ends the connection if HTTP/2 is supported.
      ['HTTP/2 with prior knowledge', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\x01'],
      ['a TLS hello', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
      ['empty lines before a request', `\r\n\r\n${toGetRequest('/echo')}`, 'GET /echo'],
      ['lines ended by LF', 'GET /echo HTTP/1.1\nHost: a\n\n'],
      ['a header ended by LF', 'GET /echo HTTP/1.1\r\nHost: a\nX-A: b\r\n\r\n'],
      ['a coding after LF', post([`X-A: a\n${CHUNKED}`, 'Content-Length: 4'], '0\r\n\r\n')],
      ['no version', 'GET /echo\r\n\r\n'],
      ['no target', 'GET  HTTP/1.1\r\nHost: a\r\n\r\n'],
      ['leading spaces', ` ${toGetRequest('/echo')}`],
      ['a lower-case method', 'get /echo HTTP/1.1\r\nHost: a\r\n\r\n'],
      ['no host in 1.1', 'GET /echo HTTP/1.1\r\n\r\n'],
      ['no host in 1.0', 'GET /echo HTTP/1.0\r\n\r\n'],
      ['two hosts', toGetRequest('/echo', ['Host: b'])],
      ['a folded host', toGetRequest('/echo', [' b'])],
      ['two requests', toGetRequest('/1') + toGetRequest('/2'), 'GET /1 ; GET /2'],
      [
        'a bad host in the second request',
        toGetRequest('/1') + toHost('x/metrics?', '/2'),
        'GET /1',
      ],
      ['a request after a bad host', toHost('x/metrics?', '/1') + toGetRequest('/2')],
    ] as const
  ).map(([title, request, answer = REFUSED]): Vector => ({ title, request, answer })),
  ...['0.9', '1.2', '2.0', '3', '1.1x', 'x.y', '1.0'].map(
    (version): Vector => ({
      title: `version ${version}`,
      request: `GET /echo HTTP/${version}\r\nHost: a\r\n\r\n`,
      answer: version === '1.0' ? 'GET /echo' : REFUSED,
    }),
  ),
  ...['CONNECT', 'FOO', 'G\0T', 'GET,', 'X'.repeat(300), 'TRACE', 'PROPFIND', 'QUERY'].map(
    (method): Vector => ({
      title: `method ${JSON.stringify(method.slice(0, 20))}`,
      request: `${method} /echo HTTP/1.1\r\nHost: a\r\n\r\n`,
      answer: ['TRACE', 'PROPFIND', 'QUERY'].includes(method) ? `${method} /echo` : REFUSED,
    }),
  ),
  ...[
    ...[
      '',
      ' ',
      'a b',
      'a,b',
      'a/b',
      'a@b',
      '[::1',
      '\xff',
      'a:b',
      ':80',
      'a:99999999',
      '<script>',
    ],
    ...['a\tb', 'x'.repeat(5_000), 'x/metrics?', 'x/metrics#', 'x?', 'x#', 'u:p@x', 'x\\y', 'x;y'],
    ...['http://x', 'http://x/y', '//x', '/', '[]', '[a]b', 'a:80:80', 'a:', 'a, a'],
  ].map(
    (host): Vector => ({
      title: `host ${JSON.stringify(host.slice(0, 20))}`,
      request: toHost(host, '/echo'),
      answer: REFUSED,
    }),
  ),
  ...['[::1]', '[::1]:99', 'a:80', 'A.example', '%', 'x%2fy', '..', '127.0.0.1'].map(
    (host): Vector => ({
      title: `host ${JSON.stringify(host)}`,
      request: toHost(host, '/echo'),
      answer: 'GET /echo',
    }),
  ),
  ...[
    ...['*', '?', '?a=b', 'a', 'a/b', ':', '://', 'http:', 'http:/a', 'http://', 'http:///a'],
    ...['http://a b/', 'ftp://a/b', 'javascript:alert(1)', '/\xff\xfe', '/a b', '/\t', '/\x7f'],
    ...['/\0', '/#', '/a#b', '/?#', '/a#/metrics', `/${'a'.repeat(20_000)}`],
  ].map((target): Vector => toTarget(target, REFUSED)),
  ...[
    ...['//', '//evil', '//evil/a', '///', '/..', '/../../etc/passwd', '/./a', '/a/../b', '/%'],
    ...['/%zz', '/%c3%28', '/%00', '/%2e%2e%2f', '/a/%2e%2e/metrics', '/a%2fmetrics', '/\\'],
    ...['/a\\..\\b', '/a\\metrics', '/a;b=c/d', '/"\'<>`{}|^', `/?${'a=b&'.repeat(3_000)}`],
  ].map((target): Vector => toTarget(target, `GET ${target}`)),
  ...Object.entries({
    'http://evil': '/',
    'http://evil?x': '/?x',
    'http://[::1': '/',
    'http://b/x': '/x',
    'https://a/x': '/x',
    'HTTP://A/x': '/x',
    'http://u:p@a/x': '/x',
    'http://a:99999/x': '/x',
    'http://b//x': '//x',
  }).map(([target, path]): Vector => toTarget(target, `GET ${path}`)),
]

function toGetRequest(target: string, headers: readonly string[] = []): string {
  const lines = headers.map((line) => `${line}\r\n`).join('')
  return `GET ${target} HTTP/1.1\r\nHost: a\r\n${lines}\r\n`
}

function post(headers: readonly string[], body: string): string {
  return `POST /echo HTTP/1.1\r\nHost: a\r\n${headers.join('\r\n')}\r\n\r\n${body}`
}

function toHost(host: string, target: string): string {
  return `GET ${target} HTTP/1.1\r\nHost: ${host}\r\n\r\n`
}

function toTarget(target: string, answer: string): Vector {
  const title = `target ${JSON.stringify(target.slice(0, 30))}`
  return { title, request: toGetRequest(target), answer: answer.slice(0, 60) }
}

function websocket(): string {
  return toGetRequest('/echo', [
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
  ])
}
