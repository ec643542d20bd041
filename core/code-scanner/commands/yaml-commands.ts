import type { Entry } from '../formats/entries.ts'
import { readYaml } from '../formats/yaml.ts'
import { blank } from './blanks.ts'

/**
 * Finds the scripts of a CI description: values, blocks and lists of `run`, `script`, `command` and
 * the like. Its variables become assignments; all else is blanked.
 */
export function workflowCommands(text: string): string {
  return findCommands(text, { readsVariables: true })
}

/** Finds the scripts of other YAML texts: tasks, containers, machine setups. */
export function yamlCommands(text: string): string {
  return MAY_HAVE_SCRIPT.test(text) ? findCommands(text, { readsVariables: false }) : blank(text)
}

const MAY_HAVE_SCRIPT =
  /^[ \t]*(?:-[ \t]+)?["']?[\w.]*(?:run|script|commands?|cmds?|args|shell|entrypoint)["']?[ \t]*:|^[ \t]+#!\S*sh\b/m

/** Keys of scripts in CI services, containers and Ansible. */
const SCRIPT_KEYS: ReadonlySet<string> = new Set(
  `run script before_script after_script command commands inlineScript bash pwsh powershell sh ps cmd cmds
  shell args entrypoint install before_install before_deploy after_deploy after_success after_failure
  before_build after_build after_test build_script test_script deploy_script before_cache runcmd bootcmd
  ansible.builtin.shell ansible.builtin.command postCreateCommand override teardown`.split(/\s+/),
)

/** Keys of scripts whose lists contain the words of one command. */
const WORD_KEYS = /^(?:command|args|entrypoint)$/

/** Finds the scripts in JavaScript of steps with `actions/github-script`. */
export function githubScripts(text: string): string {
  let result = ''
  for (const { index, value } of readYaml(text).filter(isGithubScript())) {
    result += blank(text.slice(result.length, index)) + value
  }
  return result + blank(text.slice(result.length))
}

/** Creates a test for the lines of such scripts, which has to see all values in order. */
function isGithubScript(): (entry: Entry) => boolean {
  let action = ''
  return ({ keys, value }) => {
    if (keys.at(-1) === 'uses') action = value
    const isScript = keys.at(-1) === 'script' && keys.at(-2) === 'with'
    return isScript && action.includes('github-script@')
  }
}

const VARIABLE_KEYS = /^(?:env|variables|environment)$/

function findCommands(text: string, { readsVariables }: { readsVariables: boolean }): string {
  let result = ''
  const put = (index: number, command: string) => {
    if (index >= result.length) result += blank(text.slice(result.length, index)) + command
  }
  const entries = readYaml(text)
  const isOther = isGithubScript()
  for (const [at, entry] of entries.entries()) {
    const key = entry.keys.at(-1) ?? ''
    if (isOther(entry)) continue
    if (SCRIPT_KEYS.has(key) || entry.isScript) {
      putCommand(entry, { text, put, previous: entries[at - 1], next: entries[at + 1] })
    } else if (readsVariables && VARIABLE_KEYS.test(entry.keys.at(-2) ?? '')) {
      putVariable(key, { text, put, entry })
    } else if (readsVariables && entry.isLine && VARIABLE_KEYS.test(key)) {
      put(entry.index, maskExpressions(entry.value))
    }
  }
  return result + blank(text.slice(result.length))
}

type Put = (index: number, command: string) => void

/** Writes a command at its position, without quotes and escapes. */
function putCommand(
  entry: Entry,
  at: {
    readonly text: string
    readonly put: Put
    readonly previous: Entry | undefined
    readonly next: Entry | undefined
  },
): void {
  const { text, put, previous, next } = at
  const { index, value } = entry
  const quote = quoteBefore(text, index)
  const plain = maskExpressions(quote === '"' ? value.replaceAll(/\\(.)/g, ' $1') : value)
  const isItemNext = next?.isLine && isSameList(entry, next)
  const isWord = WORD_KEYS.test(entry.keys.at(-1) ?? '') && !/\s/.test(value + (next?.value ?? ''))
  if (entry.isContinued || (entry.isLine && isItemNext && isWord)) {
    const end = text.indexOf('\n', index)
    const blanks = quote ? '' : ' '.repeat(Math.max(0, end - index - value.length))
    put(quote ? index : index - 1, `${plain}${blanks}\\`)
    return
  }
  const isItem = previous && !entry.isLine && isSameList(previous, entry)
  if (!isItem || !quote) put(index, plain)
  // A script follows its option: `["sh", "-c", "curl …"]`.
  else if (/^-\w*c$/.test(previous.value)) put(index - 1, `;${plain}`)
  else put(index - 1, `${quote}${maskExpressions(value)}${quote}`)
}

function isSameList(a: Entry, b: Entry): boolean {
  return a.keys.length === b.keys.length && a.keys.every((key, at) => key === b.keys[at])
}

/** Writes `NAME: value` as `NAME=value`, with the value at its position. */
function putVariable(
  name: string,
  { text, put, entry }: { readonly text: string; readonly put: Put; readonly entry: Entry },
): void {
  const { index, value } = entry
  const quote = quoteBefore(text, index)
  const start = index - quote.length - name.length - 1
  const isOneWord = quote !== '' || /^[^\s"'`;&|<>()]+$/.test(maskExpressions(value))
  const fits = start >= 0 && !text.slice(start, index).includes('\n')
  if (/^[A-Za-z_]\w*$/.test(name) && isOneWord && fits) {
    put(start, `${name}=${quote}${maskExpressions(value)}${quote}`)
  }
}

function quoteBefore(text: string, index: number): string {
  const before = text[index - 1] ?? ''
  return before === '"' || before === "'" ? before : ''
}

/** Replaces `${{ env.NAME }}` by an expansion of the same length; other expressions are unknown. */
function maskExpressions(text: string): string {
  return text.replaceAll(/\$?\{\{[-\s]*([\w.-]+)?[^}\n]*\}\}/g, (whole: string, path?: string) => {
    const name = /^(?:env|vars|secrets|inputs|parameters)\.(\w+)$/.exec(path ?? '')?.[1] ?? '_'
    return whole.length < name.length + 4
      ? blank(whole)
      : `\${${name}${'#'.padEnd(whole.length - name.length - 3, '_')}}`
  })
}
