import type { Expression } from '../../model/program.ts'

/** A request that a command sends. */
export interface ShellRequest {
  readonly url: Expression
  /** Lower or upper case; undefined for the client's default. */
  readonly method: string | undefined
}

/**
 * The requests that a command of a known client sends, by its options; undefined for commands of
 * other programs. Downloads of archives and scripts are none.
 */
export function readRequests(command: {
  readonly program: string
  readonly args: readonly Expression[]
}): readonly ShellRequest[] | undefined {
  const read = READERS.get(command.program)
  return read?.(command.args).filter(({ url }) => !isDownload(url))
}

/** The words that are known of an expression, gaps as `{}`. */
export function plainText(value: Expression): string {
  if (value.kind === 'text') return value.text
  if (value.kind === 'join') return value.parts.map(plainText).join('')
  return '{}'
}

const READERS: ReadonlyMap<string, (args: readonly Expression[]) => readonly ShellRequest[]> =
  new Map([
    ['curl', readCurl],
    ['wget', readWget],
    ['http', readHttpie],
    ['https', readHttpie],
    ['xh', readHttpie],
    ['xhs', readHttpie],
    ['websocat', readPlain],
    ['Invoke-RestMethod', readInvoke],
    ['Invoke-WebRequest', readInvoke],
    ['grpcurl', readPlain],
  ])

/** Options of curl that take a value, short and long, but for those that say method or URL. */
const CURL_SHORT = 'AbcCDeEFhHKmoPrtTuUwxyYz'
const CURL_LONG =
  /^--(?:header|user|user-agent|output|output-dir|cookie|cookie-jar|cert|cert-type|key|key-type|cacert|capath|connect-timeout|max-time|retry|retry-delay|retry-max-time|write-out|referer|proxy|proxy-user|resolve|config|range|interface|limit-rate|oauth2-bearer|aws-sigv4|max-redirs|unix-socket|dump-header|continue-at|ciphers|tls-max|pass|engine|stderr|trace|trace-ascii|variable|connect-to|dns-servers|noproxy|time-cond|speed-time|speed-limit|keepalive-time|max-filesize|pinnedpubkey|doh-url|etag-save|etag-compare)$/
const CURL_DATA =
  /^--(?:data(?:-raw|-binary|-urlencode|-ascii)?|form(?:-string)?|json|url-query|upload-file)$/

function readCurl(args: readonly Expression[]): readonly ShellRequest[] {
  const urls: Expression[] = []
  let method: string | undefined
  let implied: string | undefined
  let isGet = false
  const rest = args.values()
  const next = () => rest.next().value
  for (const arg of rest) {
    const word = plainText(arg)
    if (word.startsWith('--')) {
      const [, name = word, value] = /^(--[\w-]+)=(.*)$/s.exec(word) ?? []
      const takes = () => (value === undefined ? next() : cut(arg, name.length + 1))
      if (name === '--url') {
        const url = takes()
        if (url) urls.push(url)
      } else if (name === '--request') method = toWord(takes())
      else if (name === '--get') isGet = true
      else if (name === '--head') implied = 'head'
      else if (CURL_DATA.test(name)) {
        takes()
        if (name !== '--url-query') implied = name === '--upload-file' ? 'put' : 'post'
      } else if (CURL_LONG.test(name)) takes()
      continue
    }
    if (word.startsWith('-') && word.length > 1) {
      // Short options stand together, the last may have its value in the same word: `-sSXPOST`.
      for (let letter = 1; letter < word.length; letter += 1) {
        const option = word[letter] ?? ''
        if (option === 'G') isGet = true
        else if (option === 'I') implied = 'head'
        else if (
          option === 'X' ||
          option === 'd' ||
          option === 'F' ||
          CURL_SHORT.includes(option)
        ) {
          const isLast = letter === word.length - 1
          const value = isLast ? next() : cut(arg, letter + 1)
          if (option === 'X') method = toWord(value)
          else if (option === 'd' || option === 'F') implied = 'post'
          else if (option === 'T') implied = 'put'
          break
        }
      }
      continue
    }
    urls.push(arg)
  }
  const sent = method ?? (isGet ? 'get' : (implied ?? 'get'))
  return urls.map((url) => ({ url, method: sent }))
}

const WGET_VALUE =
  /^(?:-[OoPtTUaiwQBe]|--(?:output-document|header|user|password|user-agent|tries|timeout|directory-prefix|output-file))$/

function readWget(args: readonly Expression[]): readonly ShellRequest[] {
  const urls: Expression[] = []
  let method: string | undefined
  const rest = args.values()
  const next = () => rest.next().value
  for (const arg of rest) {
    const word = plainText(arg)
    if (word.startsWith('--method')) method = word.slice(9) || toWord(next())
    else if (/^--(?:post|body)-(?:data|file)/.test(word)) {
      method ??= 'post'
      if (!word.includes('=')) next()
    } else if (WGET_VALUE.test(word)) next()
    else if (!word.startsWith('-')) urls.push(arg)
  }
  return urls.map((url) => ({ url, method: method ?? 'get' }))
}

const HTTPIE_VALUE =
  /^(?:-[AaosrpP]|--(?:auth|auth-type|output|session|session-read-only|timeout|proxy|verify|cert|cert-key|print|style|pretty|bearer|raw|boundary|ssl|max-redirects|response-charset))$/

function readHttpie(args: readonly Expression[]): readonly ShellRequest[] {
  const words: Expression[] = []
  const rest = args.values()
  const next = () => rest.next().value
  for (const arg of rest) {
    const word = plainText(arg)
    if (HTTPIE_VALUE.test(word)) next()
    else if (!word.startsWith('-')) words.push(arg)
  }
  const first = words[0]
  if (!first) return []
  const hasMethod = /^[A-Z]{3,8}$/.test(plainText(first))
  const url = hasMethod ? words[1] : first
  if (!url) return []
  const items = words.slice(hasMethod ? 2 : 1).map(plainText)
  const hasBody = items.some((item) => /^[\w.[\]-]+(?::?=(?!=)|@)/.test(item))
  return [{ url, method: hasMethod ? plainText(first) : hasBody ? 'post' : 'get' }]
}

/** `Invoke-RestMethod -Method Post -Uri URL`, in any letter case. */
function readInvoke(args: readonly Expression[]): readonly ShellRequest[] {
  const findValue = (option: string) => {
    const at = args.findIndex((arg) => plainText(arg).toLowerCase() === option)
    return at < 0 ? undefined : args[at + 1]
  }
  const url = findValue('-uri') ?? args.find((arg) => plainText(arg).includes('://'))
  return url ? [{ url, method: toWord(findValue('-method')) ?? 'get' }] : []
}

function readPlain(args: readonly Expression[]): readonly ShellRequest[] {
  const url = args.find((arg) => !plainText(arg).startsWith('-'))
  return url ? [{ url, method: 'get' }] : []
}

/** The value without its first characters, which are plain. */
function cut(value: Expression, length: number): Expression | undefined {
  if (value.kind === 'text') {
    const { place } = value
    const moved = { ...place, index: place.index + length, column: place.column + length }
    return { kind: 'text', text: value.text.slice(length), place: moved }
  }
  if (value.kind !== 'join') return undefined
  const [first, ...rest] = value.parts
  const head = first && cut(first, length)
  return head && { ...value, parts: [head, ...rest], place: head.place }
}

function toWord(value: Expression | undefined): string | undefined {
  const word = value && plainText(value)
  return word !== undefined && /^[A-Za-z]+$/.test(word) ? word.toLowerCase() : undefined
}

/** Files that are installed, not answers of an API. */
function isDownload(url: Expression): boolean {
  const text = plainText(url)
  // A host may end as a file does: `https://paste.sh`.
  const path = text.startsWith('{}') ? text : text.replace(/^(?:https?:\/\/)?[^/]*/i, '')
  return (
    /\.(?:tar|tgz|gz|bz2|xz|zst|zip|deb|rpm|apk|dmg|pkg|exe|msi|jar|whl|gem|sh|bash|py|ps1|asc|gpg|key|pem|sig|sha\d+|md5|repo|list|iso|img|bin|appimage|so|wasm|phar|rb|pl|patch|diff|mmdb|sum)(?:\.\w{2,6})?(?:[?#].*)?$/i.test(
      path,
    ) ||
    /^(?:https?:\/\/)?(?:get\.|install\.|sh\.|dl\.|download\.|downloads\.|raw\.githubusercontent\.com|deb\.|rpm\.|packages?\.|apt\.|releases\.|storage\.googleapis\.com\/|github\.com\/|bootstrap\.)/i.test(
      text,
    ) ||
    /\/(?:releases\/download|install|installer|get-?pip|setup_[\w.]+|archive\/refs)(?:\/|$)/i.test(
      text,
    )
  )
}
