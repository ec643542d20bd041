import { type Entry, inlineEntries, linesOf, unquote } from './entries.ts'

/** Reads `.env`, `.properties`, INI and TOML texts, and where web servers forward requests. */
export function readAssignments(text: string): readonly Entry[] {
  const entries: Entry[] = []
  let section: readonly string[] = []
  for (const { line, start } of linesOf(text)) {
    if (/^\s*[#;!]/.test(line)) continue
    const head = SECTION.exec(line)?.[1]
    if (head !== undefined) {
      section = splitKeys(head).map((part) => part.trim().replaceAll(/["']/g, ''))
      continue
    }
    const [, key, text = ''] = PAIR.exec(line) ?? []
    const index = start + line.length - text.length
    const keys = key === undefined ? section : [...section, ...splitKeys(key)]
    if (key === undefined) entries.push(...readOther(line, { keys, start }))
    else if (/^[[{]/.test(text)) {
      for (const entry of inlineEntries({ keys, text, index })) entries.push(entry)
    }
    // Properties write a colon as `\:`.
    else entries.push({ keys, ...unquote({ text: text.replaceAll('\\:', ':'), index }, /\s[#;]/) })
  }
  return entries
}

const SECTION = /^\s*\[{1,2}([^[\]]+)\]{1,2}\s*(?:[#;].*)?$/

const PAIR =
  /^(?!\s*location\s+=\s+\/)\s*(?:export\s+|set\s+)?["']?([\w.$/-]+)["']?\s*(?:=>|[=:])\s*(\S.*)$/s

/** Reads the target of a proxy, the value of a log shipper, or an item of a list in several lines. */
function readOther(
  line: string,
  { keys, start }: { readonly keys: readonly string[]; readonly start: number },
): readonly Entry[] {
  const targets = TARGETS.flatMap((pattern) => [...line.matchAll(pattern)])
  if (targets.length > 0) {
    return targets.map(({ 0: whole, 1: directive = '', 2: value = '', index }) => {
      const at = start + index + whole.length - value.length
      return { keys: [directive.replace('$', '')], value, index: at }
    })
  }
  const isItem = /^\s*["'][^"']*["'],?\s*(?:#.*)?$/.test(line)
  return isItem ? [{ keys, ...unquote({ text: line, index: start }) }] : []
}

const TARGETS: readonly RegExp[] = [
  // nginx, Apache and Caddy.
  /\b(proxy_pass|ProxyPass|reverse_proxy|set\s+\$\w+)\s+(?:\/\S{0,200}\s+)?["']?(https?:\/\/[^\s;"'{}]+)/g,
  // An upstream of nginx; other ports are those of the project's own servers.
  /(?:^|[\s{;])(server)\s+([\w-]+(?:\.[\w-]+)+:443)(?=[\s;])/g,
  // Logstash in one line: `http { url => "https://…" }`.
  /\b(\w+)\s*=>\s*\[?\s*["'](https?:\/\/[^\s"']+)/g,
  // Fluent Bit.
  /^\s+(Host|Endpoint|Ur[il])\s+((?:https?:\/\/)?[\w-]+(?:\.[\w-]+)+(?:[:/]\S*)?)(?=\s*$)/gi,
]

function splitKeys(key: string): readonly string[] {
  return key.split('.', MAX_KEYS)
}

const MAX_KEYS = 64
