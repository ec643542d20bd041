/**
 * Shell commands of other files, each function giving the text with everything else blanked, so that
 * places stay. Names that the file gives values to become assignments.
 */

/** `RUN`, `CMD`, `ENTRYPOINT` and `HEALTHCHECK CMD` of a Dockerfile; `ENV` and `ARG` are assignments. */
export function dockerCommands(text: string): string {
  let isOpen = false
  return mapLines(text, (line) => {
    const isComment = /^\s*#/.test(line)
    if (isComment) return blank(line)
    if (isOpen) {
      isOpen = line.trimEnd().endsWith('\\')
      return line
    }
    const run =
      /^(\s*(?:RUN|CMD|ENTRYPOINT|HEALTHCHECK(?:\s+--\S+)*\s+CMD)\s+(?:--\S+\s+)*)(.*)$/is.exec(
        line,
      )
    if (run) {
      const [, head = '', rest = ''] = run
      // The form of a list is no shell, but reads as one once its brackets and commas are gone.
      if (rest.startsWith('[')) return blank(head) + rest.replaceAll(/[[\],]/g, ' ')
      isOpen = line.trimEnd().endsWith('\\')
      return blank(head) + rest
    }
    const set = /^(\s*(?:ENV|ARG)\s+)(\w+)([ =])(.*)$/is.exec(line)
    if (!set) return blank(line)
    const [, head = '', name = '', sign = '', rest = ''] = set
    isOpen = line.trimEnd().endsWith('\\')
    return `${blank(head)}${name}=${sign === ' ' ? rest.trimEnd().replaceAll(' ', '_') : rest}`
  })
}

/** Recipes of a Makefile; its variables are assignments. What follows `$$` moves by one column. */
export function makeCommands(text: string): string {
  let isOpen = false
  return mapLines(text, (line) => {
    if (line.startsWith('\t') || isOpen) {
      isOpen = line.trimEnd().endsWith('\\')
      return line
        .replace(/^\s*[@+-]+/, blank)
        .replaceAll(/\$\((\w+)\)/g, '$${$1}')
        .replaceAll('$$', '$')
        .padEnd(line.length)
    }
    const set =
      /^(\s*(?:export\s+|override\s+)?)([A-Za-z_]\w*)(\s*(?:\?|:{1,3})?=\s*)(\S.*)$/s.exec(line)
    if (!set) return blank(line)
    const [, head = '', name = '', sign = '', rest = ''] = set
    const value = rest.replaceAll(/\$\((\w+)\)/g, '$${$1}').replace(/\s#.*$/, blank)
    return `${blank(head)}${blank(sign).slice(1)}${name}=${isOneWord(value) ? value : blank(value)}`
  })
}

/**
 * Scripts of a CI description in YAML: `run`, `script`, `before_script`, `after_script`, `command`
 * as a value, a block or a list; `env` and `variables` are assignments.
 */
export function workflowCommands(text: string): string {
  let mode: 'none' | 'script' | 'names' = 'none'
  let indent = 0
  return mapLines(text, (line) => {
    if (line.trim() === '') return line
    const depth = line.length - line.trimStart().length
    const isItem = /^\s*-\s/.test(line)
    if (mode !== 'none' && (depth > indent || (depth === indent && isItem && mode === 'script'))) {
      return mode === 'script' ? toScriptLine(line) : toAssignment(line)
    }
    mode = 'none'
    const key = /^(\s*(?:-\s+)?)(['"]?[\w-]+['"]?)(\s*:)(\s*)(.*)$/s.exec(line)
    if (!key) return blank(line)
    const [, head = '', name = '', colon = '', gap = '', rest = ''] = key
    indent = head.length
    const isScript =
      /^(?:run|script|before_script|after_script|command|commands|inlineScript|bash)$/
    if (isScript.test(name)) {
      mode = 'script'
      const lead = blank(head + name + colon + gap)
      return lead + (/^[|>][-+\d]*\s*(?:#.*)?$/.test(rest) ? blank(rest) : maskExpressions(rest))
    }
    if (/^(?:env|variables|environment)$/.test(name)) mode = 'names'
    return blank(line)
  })
}

/** The scripts of a `package.json` (or of `composer.json`, `deno.json`). */
export function packageCommands(text: string): string {
  const block = /"(?:scripts|tasks)"\s*:\s*\{/.exec(text)
  if (!block) return blank(text)
  const start = block.index + block[0].length
  const end = text.indexOf('}', start)
  const scripts = text.slice(start, end < 0 ? text.length : end)
  const commands = scripts.replaceAll(
    /("(?:[^"\\\n]|\\.)*"\s*:\s*)?"((?:[^"\\\n]|\\.)*)(?:"[^"\n]*|(?=\\?(?:\n|$)))/g,
    (whole: string, head: string | undefined, body: string) => {
      const lead = blank(`${head ?? ''} `)
      return (lead + body.replaceAll(/\\(.)/g, ' $1')).padEnd(whole.length)
    },
  )
  return blank(text.slice(0, start)) + commands + blank(end < 0 ? '' : text.slice(end))
}

function toScriptLine(line: string): string {
  return maskExpressions(line.replace(/^\s*-\s(?:\s*[|>][-+]?\s*$)?/, blank))
}

/** `  NAME: value` as `  NAME=value`, the value in its place. */
function toAssignment(line: string): string {
  const entry = /^(\s*(?:-\s+)?)(['"]?)([A-Za-z_]\w*)\2(\s*[:=]\s*)(\S.*)$/s.exec(line)
  if (!entry) return blank(line)
  const [, head = '', quote = '', name = '', sign = '', rest = ''] = entry
  const value = maskExpressions(rest.trimEnd().replace(/\s#.*$/, ''))
  const lead = `${blank(head + quote + quote + sign).slice(1)}${name}=`
  return (lead + (isOneWord(value) ? value : '')).padEnd(line.length)
}

/** `${{ env.NAME }}` as an expansion of the name of the same length; other ones of none. */
function maskExpressions(text: string): string {
  return text.replaceAll(/\$\{\{\s*([\w.-]+)?[^}\n]*\}\}/g, (whole: string, path?: string) => {
    const name = /^(?:env|vars|secrets|inputs|parameters)\.(\w+)$/.exec(path ?? '')?.[1] ?? '_'
    return `\${${name}${'#'.padEnd(whole.length - name.length - 3, '_')}}`
  })
}

function isOneWord(value: string): boolean {
  return /^(?:"[^"]*"|'[^']*'|[^\s"'`;&|<>()]+)\s*$/.test(value)
}

function mapLines(text: string, map: (line: string) => string): string {
  return text
    .split('\n')
    .map((line) => (line.endsWith('\r') ? `${map(line.slice(0, -1))}\r` : map(line)))
    .join('\n')
}

function blank(text: string): string {
  return text.replaceAll(/[^\n\r]/g, ' ')
}
