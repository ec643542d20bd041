/** Forbidden addresses: at least one of each special range. */
export const REFUSED_IPV4: readonly string[] = [
  ...['0.0.0.0', '0.0.0.1', '10.0.0.1', '10.255.255.254', '100.64.0.1', '100.100.100.200'],
  ...['127.0.0.1', '127.0.0.53', '127.1.2.3', '127.255.255.254', '168.63.129.16'],
  ...['169.254.0.1', '169.254.169.254', '169.254.170.2', '172.16.0.1', '172.31.255.254'],
  ...['192.0.0.1', '192.0.0.192', '192.0.2.1', '192.88.99.1', '192.168.0.1', '192.168.255.254'],
  ...['198.18.0.1', '198.19.255.254', '198.51.100.1', '203.0.113.1', '224.0.0.1'],
  ...['239.255.255.250', '240.0.0.1', '255.255.255.255'],
]

export const REFUSED_IPV6: readonly string[] = [
  ...['::', '::1', '::2', '64:ff9b:1::1', '100::1', '100:0:0:1::1', '2001::1', '2001:2::1'],
  ...['2001:10::1', '2001:20::1', '2001:db8::1', '2002::1', '2620:4f:8000::1', '3fff::1'],
  ...['4000::1', '5f00::1', '8000::1', 'fc00::1', 'fd00:ec2::254', 'fe80::1', 'febf::1'],
  ...['fec0::1', 'ff01::1', 'ff02::1', 'ff05::1:3'],
]

const REFUSED_NAMES: readonly string[] = [
  ...['localhost', 'LOCALHOST', 'localhost.', 'a.localhost', 'localhost.localdomain', 'intranet'],
  ...['printer.local', 'metadata.google.internal', 'kubernetes.default.svc.cluster.local', 'db'],
  ...['router.lan', 'nas.home', 'x.home.arpa', 'a.corp', 'x.onion', 'a..example', '-', '_'],
  ...[
    'loc\u00adalhost',
    'ｌｏｃａｌｈｏｓｔ',
    'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ',
    'loca%6chost',
    '%6c%6f%63alhost',
    'lOcAlHoSt',
  ],
]

const SCHEMES: readonly string[] = [
  ...['file', 'data', 'unix', 's3', 'gopher', 'ftp', 'sftp', 'ws', 'wss', 'dict', 'ldap', 'tftp'],
  ...['jar', 'blob', 'about', 'javascript', 'node', 'bun', 'npm', 'ssh', 'telnet', 'imap', 'httpx'],
]

/** Spellings of an IPv4 address that the URL parser accepts. */
export function spellIpv4(address: string): readonly string[] {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number)
  const number = a * 2 ** 24 + b * 2 ** 16 + c * 2 ** 8 + d
  const hex = (part: number) => `0x${part.toString(16)}`
  const octal = (part: number) => `0${part.toString(8)}`
  const wide = (text: string) =>
    text.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)))
  const circled = (text: string) =>
    text.replace(/[1-9]/g, (digit) => String.fromCodePoint(0x2460 + Number(digit) - 1))
  const parts = [a, b, c, d]
  const writings = [String, hex, octal, (part: number) => `0X${part.toString(16).toUpperCase()}`]
  const mixed = writings.flatMap((first) =>
    writings.map((second) => parts.map((part, at) => (at % 2 ? second : first)(part)).join('.')),
  )
  return [
    ...mixed,
    ...writings.flatMap((write) => [
      write(number),
      `${write(a)}.${write(number % 2 ** 24)}`,
      `${write(a)}.${write(b)}.${write(number % 2 ** 16)}`,
      `${write(number)}.`,
    ]),
    `${address}.`,
    wide(address),
    circled(address),
    address.replaceAll('.', '。'),
    address.replaceAll('.', '．'),
    address.replaceAll('.', '｡'),
    address.replaceAll('.', '%2e'),
    address.replace(/\d/, (digit) => `%3${digit}`),
    address.split('').join('\u00ad'),
    `0000${octal(a)}.${b}.${c}.${d}`,
  ]
}

/** IPv6 addresses, in brackets, that embed an IPv4 address. */
export function wrapIpv4(address: string): readonly string[] {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number)
  const group = (high: number, low: number) => (high * 256 + low).toString(16)
  const groups = `${group(a, b)}:${group(c, d)}`
  const flipped = `${group(255 - a, 255 - b)}:${group(255 - c, 255 - d)}`
  return [
    `[::ffff:${address}]`,
    `[::ffff:${groups}]`,
    `[0:0:0:0:0:FFFF:${groups}]`,
    `[0000:0000:0000:0000:0000:ffff:${address}]`,
    `[::ffff:0:${address}]`,
    `[::${address}]`,
    `[::${groups}]`,
    `[64:ff9b::${address}]`,
    `[64:ff9b::${groups}]`,
    `[64:ff9b:1::${address}]`,
    `[2002:${groups}::]`,
    `[2002:${groups}::1]`,
    `[2001:0:${groups}::1]`,
    `[2001:0:4136:e378:8000:63bf:${flipped}]`,
    `[2600::5efe:${address}]`,
    `[2600::200:5efe:${groups}]`,
    `[fe80::5efe:${groups}]`,
  ]
}

/** Distinct URLs that must be rejected. */
export function listHostileUrls(port: number): readonly string[] {
  const literals = REFUSED_IPV4.flatMap((address) => [...spellIpv4(address), ...wrapIpv4(address)])
  const hosts = [...literals, ...REFUSED_IPV6.map((address) => `[${address}]`), ...REFUSED_NAMES]
  const plain = hosts.flatMap((host) => [
    `http://${host}:${port}/`,
    `https://${host}/`,
    `HTTP:\\\\${host}\\a`,
    `http:/${host}/latest/meta-data/?a=b#c`,
  ])
  const tricks = REFUSED_IPV4.flatMap((address) => [
    `http://api.example.com@${address}/`,
    `http://api.example.com:80@${address}:${port}/`,
    `http://user:word@${address}/`,
    `http://${address}#@api.example.com/`,
    `http://${address}?@api.example.com/`,
    `http://${address}\\@api.example.com/`,
    `http://\t${address}\n/`,
    ` http://${address}/`,
    `//${address}/`,
    `${address}:${port}`,
  ])
  const schemes = SCHEMES.flatMap((scheme) => [
    `${scheme}://127.0.0.1:${port}/`,
    `${scheme}://api.example.com/`,
    `${scheme}:/etc/hostname`,
    `${scheme}:///etc/hostname`,
    `${scheme}:text/plain,a`,
  ])
  const ports = [0, 1, 21, 22, 23, 25, 53, 110, 143, 389, 445, 587, 993, 1433, 2375, 3306, 5432]
    .concat([6000, 6379, 6667, 9200, 11211, 27017])
    .flatMap((other) => [`http://api.example.com:${other}/`, `http://8.8.8.8:${other}/`])
  const rest = [
    '',
    'http://',
    'http:',
    'https://[',
    'http://[::1',
    'http://a b/',
    'http://user@8.8.8.8/',
  ]
  return [...new Set([...plain, ...tricks, ...schemes, ...ports, ...rest])]
}
