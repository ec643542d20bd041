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

const PAIR = /^\s*(?:export\s+|set\s+)?["']?([\w.$/-]+)["']?\s*[=:]\s*(\S.*)$/s

/** Reads the target of a proxy, or an item of a list with several lines. */
function readOther(
  line: string,
  { keys, start }: { readonly keys: readonly string[]; readonly start: number },
): readonly Entry[] {
  const proxy = PROXY.exec(line)
  if (proxy) {
    const { 0: whole, 1: directive = '', 2: value = '', index } = proxy
    return [{ keys: [directive], value, index: start + index + whole.length - value.length }]
  }
  const isItem = /^\s*["'][^"']*["'],?\s*(?:#.*)?$/.test(line)
  return isItem ? [{ keys, ...unquote({ text: line, index: start }) }] : []
}

/** Targets of nginx, Apache and Caddy. */
const PROXY =
  /\b(proxy_pass|ProxyPass|reverse_proxy)\s+(?:\/\S{0,200}\s+)?["']?(https?:\/\/[^\s;"'{}]+)/

function splitKeys(key: string): readonly string[] {
  return key.split('.', MAX_KEYS)
}

const MAX_KEYS = 64
