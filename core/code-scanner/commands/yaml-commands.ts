import { blank, isOneWord, mapLines, toListCommand } from './blanks.ts'

/**
 * Scripts of a YAML text: values, blocks and lists under `run`, `script`, `command` and the like;
 * everything else is blank. `env` and `variables` of a CI description are assignments.
 */
export function workflowCommands(text: string): string {
  return mapCommands(text, { readsNames: true })
}

/** Scripts of other YAML texts: tasks, containers, machine setups. */
export function yamlCommands(text: string): string {
  return MAY_HAVE_SCRIPT.test(text) ? mapCommands(text, { readsNames: false }) : blank(text)
}

const MAY_HAVE_SCRIPT =
  /^[ \t]*(?:-[ \t]+)?["']?[\w.]*(?:run|script|commands?|cmds?|args|shell|entrypoint)["']?[ \t]*:/m

/** Keys of scripts: GitHub, GitLab, CircleCI, Azure, Travis, AppVeyor, Tekton, containers, Ansible. */
const SCRIPT_KEYS: ReadonlySet<string> = new Set(
  `run script before_script after_script command commands inlineScript bash pwsh powershell sh ps cmd cmds
  shell args entrypoint install before_install before_deploy after_deploy after_success after_failure
  before_build after_build after_test build_script test_script deploy_script before_cache runcmd bootcmd
  ansible.builtin.shell ansible.builtin.command postCreateCommand override teardown`.split(/\s+/),
)

const NAME_KEYS: ReadonlySet<string> = new Set(['env', 'variables', 'environment'])

/** What lines below a key are: commands (a list, or a value that continues) or assignments. */
interface Section {
  readonly kind: 'commands' | 'names'
  readonly column: number
}

/** A block of text below a key or an item; `>` folds its lines to one command. */
interface Block {
  readonly column: number
  readonly isFolded: boolean
}

function mapCommands(text: string, { readsNames }: { readonly readsNames: boolean }): string {
  let open: Section | undefined
  let block: Block | undefined
  const mapped = mapLines(text, (line) => {
    const bare = line.trimStart()
    if (bare === '') return line
    const column = line.length - bare.length
    if (block && column > block.column) {
      return maskExpressions(block.isFolded ? `${line.slice(1)}${FOLD}` : line)
    }
    block = undefined
    const isItem = /^-(?:\s|$)/.test(bare)
    const isBelow = open && (column > open.column || (column === open.column && isItem))
    if (!isBelow) open = undefined
    if (open?.kind === 'names') return toAssignment(line)
    const [, head = '', name = '', sign = '', rest = ''] = KEY.exec(line) ?? []
    if (name === '') {
      if (!open) return blank(line)
      const [, dash = '', item = ''] = /^(\s*(?:-\s+)?)(.*)$/s.exec(line) ?? []
      if (!isItem || !isBlockStart(item)) return blank(dash) + toCommand(item)
      block = { column, isFolded: item.includes('>') }
      return blank(line)
    }
    const key = name.replaceAll(/["']/g, '')
    const at = head.length
    if (readsNames && NAME_KEYS.has(key)) open = { kind: 'names', column: at }
    if (!SCRIPT_KEYS.has(key)) return blank(line)
    open = { kind: 'commands', column: at }
    const lead = blank(head + name + sign)
    if (!isBlockStart(rest)) return lead + toCommand(rest)
    block = { column: at, isFolded: rest.includes('>') }
    return lead + blank(rest)
  })
  // A line that goes on in the next one, unless that one ends the block.
  return mapped.replaceAll(FOLDED_END, (_, end: string, next: string | undefined) =>
    next === undefined ? ` ${end}` : `\\${end}`,
  )
}

/** Marks lines of folded blocks, in the place of their first blank. */
const FOLD = '\u0001'

// biome-ignore lint/suspicious/noControlCharactersInRegex: the mark above
const FOLDED_END = /\u0001(\r?\n|$)(?=([^\n]*\u0001)?)/g

/** A line with a key, of an item or not. */
const KEY = /^(\s*(?:-\s+)*)(["']?[\w.-]+["']?)(\s*:(?:\s+|$))(.*)$/s

function isBlockStart(text: string): boolean {
  return /^(?:&\S+\s+)?[|>][-+\d]*\s*(?:#.*)?$/.test(text)
}

/** A value as a command: without the quotes around it, or the marks of a list. */
function toCommand(text: string): string {
  const [, start = '', quote = '', body = ''] =
    /^(&\S+\s+)?(["'])(.*)\2\s*(?:#.*)?$/s.exec(text) ?? []
  const plain = /^\[.*\]?\s*$/s.test(text)
    ? toListCommand(text)
    : quote === ''
      ? text
      : blank(`${start}"`) + (quote === '"' ? body.replaceAll(/\\(.)/g, ' $1') : body)
  return maskExpressions(plain).padEnd(text.length)
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
  return text.replaceAll(/\$?\{\{[-\s]*([\w.-]+)?[^}\n]*\}\}/g, (whole: string, path?: string) => {
    const name = /^(?:env|vars|secrets|inputs|parameters)\.(\w+)$/.exec(path ?? '')?.[1] ?? '_'
    return whole.length < name.length + 4
      ? blank(whole)
      : `\${${name}${'#'.padEnd(whole.length - name.length - 3, '_')}}`
  })
}
