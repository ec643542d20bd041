/** A title and the bytes of a request, one character for each byte. */
export type Vector = readonly [title: string, request: string]

const CHUNKED = 'Transfer-Encoding: chunked'

/** Requests with an ambiguous or broken frame: 400 or a closed connection, never the handler. */
export const REFUSED: readonly Vector[] = [
  ['length and chunked', post(['Content-Length: 4', CHUNKED], '0\r\n\r\n')],
  ['chunked and length', post([CHUNKED, 'Content-Length: 4'], '0\r\n\r\n')],
  ['two lengths', post(['Content-Length: 3', 'Content-Length: 4'], 'abcd')],
  ['a list of lengths', post(['Content-Length: 3, 4'], 'abcd')],
  ['a signed length', post(['Content-Length: +3'], 'abc')],
  ['a negative length', post(['Content-Length: -1'], 'abc')],
  ['a hexadecimal length', post(['Content-Length: 0x3'], 'abc')],
  ['a length with a letter', post(['Content-Length: 3a'], 'abc')],
  ['a length with a fraction', post(['Content-Length: 3.0'], 'abc')],
  ['an overflowing length', post(['Content-Length: 99999999999999999999999'], 'abc')],
  ['an unknown coding', post(['Transfer-Encoding: xchunked'], '0\r\n\r\n')],
  ['chunked before another coding', post(['Transfer-Encoding: chunked, identity'], '0\r\n\r\n')],
  ['space before the colon', post(['Transfer-Encoding : chunked'], '0\r\n\r\n')],
  ['space before the colon of a length', post(['Content-Length : 3'], 'abc')],
  ['NUL in a header', post(['X-A: a\0b'], '')],
  ['a bare CR in a header', post(['X-A: a\rX-B: b'], '')],
  ['a folded header', post(['X-A: a', ' b'], '')],
  ['a header without a name', post([': a'], '')],
  ['a header without a colon', post(['Nothing'], '')],
  ['a space in a header name', post(['X A: b'], '')],
]

/** Requests that a server may answer or refuse, but never with a failure of its own. */
export const ACCEPTABLE: readonly Vector[] = [
  ...['g', '-1', '0x3', '3 3', '', '+3', 'ffffffffffffffffff', ' 3', '3\0'].map(
    (size): Vector => [`chunk size "${size}"`, post([CHUNKED], `${size}\r\nabc\r\n0\r\n\r\n`)],
  ),
  ['a chunk longer than its size', post([CHUNKED], '1\r\nabc\r\n0\r\n\r\n')],
  ['a chunk ended by LF', post([CHUNKED], '3\r\nabc\n0\r\n\r\n')],
  ['a long chunk extension', post([CHUNKED], `3;${'x'.repeat(20_000)}\r\nabc\r\n0\r\n\r\n`)],
  ['trailers', post([CHUNKED], '3\r\nabc\r\n0\r\nX-A: b\r\n\r\n')],
  ['equal lengths twice', post(['Content-Length: 3', 'Content-Length: 3'], 'abc')],
  ['gzip and chunked', post(['Transfer-Encoding: gzip, chunked'], '0\r\n\r\n')],
  ['an empty coding', post(['Transfer-Encoding:'], '')],
  ['an empty length', post(['Content-Length:'], '')],
  ['an unknown expectation', post(['Expect: 200-maybe', 'Content-Length: 0'], '')],
  ['an upgrade', 'GET /echo HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'],
  ['a websocket upgrade', websocket()],
  ['HTTP/2 with prior knowledge', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['a TLS hello', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
  ['only line ends', '\r\n\r\n\r\n'],
  ['lines ended by LF', 'GET /echo HTTP/1.1\nHost: a\n\n'],
  ['no version', 'GET /echo\r\n\r\n'],
  ['leading spaces', ' GET /echo HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['a lower-case method', 'get /echo HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['no host in 1.1', 'GET /echo HTTP/1.1\r\n\r\n'],
  ['two hosts', 'GET /echo HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n'],
  ...['0.9', '1.0', '1.2', '2.0', '3', '1.1x', 'x.y'].map(
    (version): Vector => [`version ${version}`, `GET /echo HTTP/${version}\r\nHost: a\r\n\r\n`],
  ),
  ...['TRACE', 'CONNECT', 'PROPFIND', 'QUERY', 'FOO', 'G\0T', 'GET,', 'X'.repeat(300)].map(
    (method): Vector => [
      `method ${method.slice(0, 20)}`,
      `${method} /echo HTTP/1.1\r\nHost: a\r\n\r\n`,
    ],
  ),
  ...[
    ...['', ' ', 'a b', 'a,b', 'a/b', 'a@b', '[::1]', '[::1', '[::1]:99', '\xff', 'a:b', ':80'],
    ...['a:99999999', '%', '<script>', '..', 'a\tb', 'x'.repeat(5_000)],
  ].map(
    (host): Vector => [
      `host "${host.slice(0, 20)}"`,
      `GET /echo HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
    ],
  ),
  ...[
    ...['*', '//', '//evil', '//evil/a', '///', '/..', '/../../etc/passwd', '/./a', '/a/../b'],
    ...['/%', '/%zz', '/%c3%28', '/%00', '/%2e%2e%2f', '/\\', '/a\\..\\b', '/#', '/a#b', '/?#'],
    ...[
      '?',
      '?a=b',
      'a',
      'a/b',
      ':',
      '://',
      'http:',
      'http:/a',
      'http://',
      'http://evil',
      'http:///a',
    ],
    ...[
      'http://evil?x',
      'http://[::1',
      'http://a b/',
      'ftp://a/b',
      'javascript:alert(1)',
      '/\xff\xfe',
    ],
    ...['/a b', '/\t', '/\x7f', '/\0', `/${'a'.repeat(20_000)}`, `/?${'a=b&'.repeat(3_000)}`],
  ].map(
    (target): Vector => [
      `target "${target.slice(0, 30)}"`,
      `GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`,
    ],
  ),
]

function post(headers: readonly string[], body: string): string {
  return `POST /echo HTTP/1.1\r\nHost: a\r\n${headers.join('\r\n')}\r\n\r\n${body}`
}

function websocket(): string {
  const headers = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13']
  return `GET /echo HTTP/1.1\r\nHost: a\r\n${headers.join('\r\n')}\r\n\r\n`
}
