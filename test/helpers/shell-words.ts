/** One command of a shell script. */
export interface ShellCommand {
  readonly words: readonly string[]
  /** The file that standard input comes from. */
  readonly input: string | undefined
}

const TOKEN = /\s+|#[^\n]*|'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)|([|&;<>]+)|([^\s'"\\|&;<>]+)/gy

/**
 * Splits a script into its commands: quotes, comments, continued lines, assignments in front of a
 * command, `$(…)` and `<(…)` are understood, and variables filled from `variables`.
 */
export function splitCommands(
  script: string,
  variables: Readonly<Record<string, string>> = {},
): readonly ShellCommand[] {
  return script
    .replaceAll('\\\n', ' ')
    .split('\n')
    .flatMap((line) => {
      const inner = /(?:\$|<)\((.*)\)/.exec(line)?.[1]
      return splitLine(inner ?? line, variables)
    })
}

function splitLine(
  line: string,
  variables: Readonly<Record<string, string>>,
): readonly ShellCommand[] {
  const commands: ShellCommand[] = []
  let words: string[] = []
  let input: string | undefined
  let isRedirected: string | undefined
  let word: string | undefined
  const endWord = () => {
    if (word === undefined) return
    if (isRedirected === '<') input = word
    else if (isRedirected === undefined) words.push(word)
    isRedirected = undefined
    word = undefined
  }
  const endCommand = () => {
    endWord()
    while (words[0] !== undefined && /^[A-Z_]+=/.test(words[0])) words.shift()
    if (words.length > 0) commands.push({ words, input })
    words = []
    input = undefined
  }
  const fill = (text: string) =>
    text.replace(/\$\{?([A-Z_]+)\}?/g, (whole, name: string) => variables[name] ?? whole)
  TOKEN.lastIndex = 0
  for (const [whole, single, double, escaped, operator, plain] of line.matchAll(TOKEN)) {
    if (operator !== undefined) {
      if (/[<>]/.test(operator)) {
        endWord()
        isRedirected = operator
      } else endCommand()
    } else if (single !== undefined) word = (word ?? '') + single
    else if (double !== undefined) word = (word ?? '') + fill(double.replace(/\\(.)/g, '$1'))
    else if (escaped !== undefined) word = (word ?? '') + escaped
    else if (plain !== undefined) word = (word ?? '') + fill(plain)
    else if (whole.startsWith('#') && word !== undefined) word += whole
    else if (whole.startsWith('#')) break
    else endWord()
  }
  endCommand()
  return commands
}
