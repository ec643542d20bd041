import { type ConfigEntry, inlineEntries, linesOf, unquote } from './entries.ts'

/** Values of `.env`, `.properties`, INI and TOML texts: sections, and a key and value in each line. */
export function readAssignments(text: string): readonly ConfigEntry[] {
  const entries: ConfigEntry[] = []
  let section: readonly string[] = []
  for (const { line, start } of linesOf(text)) {
    if (/^\s*[#;!]/.test(line)) continue
    const head = /^\s*\[{1,2}([^[\]]+)\]{1,2}\s*(?:[#;].*)?$/.exec(line)
    if (head) {
      section = (head[1] ?? '')
        .split('.', MAX_KEYS)
        .map((part) => part.trim().replaceAll(/["']/g, ''))
      continue
    }
    const pair = /^(\s*(?:export\s+|set\s+)?)["']?([\w.$/-]+)["']?(\s*[=:]\s*)(\S.*)$/s.exec(line)
    if (!pair) {
      const [proxy, directive = '', target = ''] = PROXY.exec(line) ?? []
      if (proxy) {
        const index = start + line.indexOf(proxy) + proxy.length - target.length
        entries.push({ keys: [directive], value: target, index })
      }
      // An item of a list that goes over lines.
      const item = /^\s*["'][^"']*["'],?\s*(?:#.*)?$/.exec(line)
      if (item) entries.push({ keys: section, ...unquote({ text: line, index: start }) })
      continue
    }
    const key = pair[2] ?? ''
    const rest = pair[4] ?? ''
    const keys = [...section, ...key.split('.', MAX_KEYS)]
    const index = start + line.length - rest.length
    if (/^[[{]/.test(rest)) {
      for (const entry of inlineEntries({ keys, text: rest, index })) entries.push(entry)
    }
    // `\:` is how properties write a colon.
    else if (rest.includes('\\:')) entries.push({ keys, value: rest.replaceAll('\\:', ':'), index })
    else entries.push({ keys, ...unquote({ text: rest, index }) })
  }
  return entries
}

/** Values of a Terraform text; of a variable's `default` and an environment's `value` the name is the key. */
export function readTerraform(text: string): readonly ConfigEntry[] {
  const entries: ConfigEntry[] = []
  const open: string[] = []
  let name: string | undefined
  let isComment = false
  for (const { line, start } of linesOf(text)) {
    if (isComment || /^\s*(?:#|\/\/)/.test(line)) {
      isComment = isComment && !line.includes('*/')
      continue
    }
    if (/^\s*\/\*/.test(line) && !line.includes('*/')) {
      isComment = true
      continue
    }
    const head = /^\s*([\w-]+)((?:\s+"[^"]*")*)\s*(?:=\s*)?[{[(]+\s*$/.exec(line)
    if (head) {
      open.push(/"([^"]*)"\s*$/.exec(head[2] ?? '')?.[1] ?? head[1] ?? '')
      name = undefined
      continue
    }
    if (/^\s*[}\])]/.test(line)) {
      open.pop()
      name = undefined
      continue
    }
    // A block in one line: `variable "host" { default = "…" }`.
    const label = /^\s*[\w-]+\s+(?:"[^"]*"\s+)?"([^"]*)"\s*\{.*\}\s*$/.exec(line)?.[1]
    const around = label === undefined ? open : [...open, label]
    for (const match of line.matchAll(TERRAFORM_VALUE)) {
      const [, key, value = '', quote] = match
      if (quote === '' || (label !== undefined && key === undefined)) continue
      if (key === 'name') name = value
      const named = key === 'value' && name !== undefined ? name : key
      const keys = named === undefined || named === 'default' ? around : [...around, named]
      const index = start + match.index + match[0].length - value.length - 1
      entries.push({ keys: [...keys], value, index })
    }
  }
  return entries
}

/** Where nginx, Apache and Caddy send requests on. */
const PROXY =
  /\b(proxy_pass|ProxyPass|reverse_proxy)\s+(?:\/\S{0,200}\s+)?["']?(https?:\/\/[^\s;"'{}]+)/

/** Parts of a key; more are no configuration. */
const MAX_KEYS = 64

/** A quoted value, its key before it, and the quote that ends it, where one does. */
const TERRAFORM_VALUE = /(?:"?(?<![\w.-])([\w.-]+)"?\s*[=:]\s*)?"((?:[^"\\]|\\.)*)("?)/g

/** `ENV` and `ARG` of a Dockerfile. */
export function readDockerfile(text: string): readonly ConfigEntry[] {
  const entries: ConfigEntry[] = []
  let isOpen = false
  for (const { line, start } of linesOf(text)) {
    const isSet = isOpen || /^\s*(?:ENV|ARG)\s/i.test(line)
    if (!isSet || /^\s*#/.test(line)) continue
    isOpen = /\\\s*$/.test(line)
    const old = /^(\s*ENV\s+)(\w+)(\s+)([^\s=]\S*)\s*$/i.exec(line)
    if (old && !line.includes('=')) {
      const [, lead = '', key = '', gap = '', value = ''] = old
      entries.push({ keys: [key], value, index: start + lead.length + key.length + gap.length })
      continue
    }
    for (const match of line.matchAll(/\b(\w+)=("[^"]*"|'[^']*'|[^\s\\"']+)/g)) {
      const raw = match[2] ?? ''
      const index = start + match.index + match[0].length - raw.length
      entries.push({ keys: [match[1] ?? ''], ...unquote({ text: raw, index }) })
    }
  }
  return entries
}

/** Values of an XML text: elements, attributes, `key` or `name` beside `value`, lists of properties. */
export function readXml(text: string): readonly ConfigEntry[] {
  const entries: ConfigEntry[] = []
  let key = ''
  const tokens =
    /<!--[\s\S]*?(?:-->|$)|<([\w:.-]+)((?:\s+[\w:.-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*\/?>([^<]*)/g
  for (const match of text.matchAll(tokens)) {
    const [whole, tag, attributes = '', content = ''] = match
    if (tag === undefined) continue
    const pairs = [...attributes.matchAll(/([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)]
    const valueIn = (pair: RegExpExecArray | undefined) => pair?.[2] ?? pair?.[3] ?? ''
    const name = valueIn(pairs.find(([, one]) => one === 'key' || one === 'name' || one === 'Key'))
    const start = match.index + 1 + tag.length
    for (const pair of pairs) {
      const attribute = pair[1] ?? ''
      if (attribute.startsWith('xmlns') || attribute.includes(':')) continue
      const isValue = /^value$/i.test(attribute) && name !== ''
      const index = start + pair.index + pair[0].length - valueIn(pair).length - 1
      entries.push({ keys: [tag, isValue ? name : attribute], value: valueIn(pair), index })
    }
    const value = content.trim()
    if (value === '') continue
    const index = match.index + whole.length - content.trimStart().length
    if (tag === 'key') key = value
    else if (tag === 'string' && name === '' && key !== '')
      entries.push({ keys: [key], value, index })
    else entries.push({ keys: [name === '' ? tag : name], value, index })
  }
  return entries
}
