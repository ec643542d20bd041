import type { Command } from 'commander'
import type { CommandIo } from '../../adapters/cli/io.ts'
import { createProgram } from '../../adapters/cli/program.ts'
import { codeBlock, markdownTable, pageHead } from './write-markdown.ts'

const INTRO = `Every command with its help text. In a clone of the repository, write
\`npm run -s cli -- …\` in the place of \`api-discovery …\`. Results go to standard output, progress and
messages to standard error; \`--json\` prints results as JSON.
`

/** `docs/reference/cli.md`: the help texts of all commands. */
export async function renderCliPage(): Promise<string> {
  const texts: string[] = []
  const program = await createProgram({ io: createSilentIo(texts), words: 'all' })
  const commands = listCommands(program).map(({ name, command }) => {
    texts.length = 0
    command.outputHelp()
    return `## \`${name}\`\n\n${codeBlock('text', texts.join('\n'))}`
  })
  const exits = markdownTable(['Exit code', 'Meaning'], EXIT_CODES)
  return `${pageHead('Command line', INTRO)}\n${exits}${commands.join('')}`
}

const EXIT_CODES = [
  ['0', 'done, or the reader of the output closed it'],
  ['1', 'failed'],
  ['2', 'invalid command, option or value'],
  ['3', 'a scan contains what `--fail-on` names, or a policy is violated'],
  ['4', '`gateway`: the endpoint responded with 4xx'],
  ['5', '`gateway`: the endpoint responded with 5xx'],
  ['130', 'interrupted'],
] as const

/** Commands with an action, by their full name. */
function listCommands(
  command: Command,
  path: readonly string[] = [],
): readonly { readonly name: string; readonly command: Command }[] {
  const words = [...path, command.name()]
  const below = command.commands
    .filter((each) => each.name() !== 'help')
    .flatMap((each) => listCommands(each, words))
  return [{ name: words.join(' '), command }, ...below]
}

function createSilentIo(texts: string[]): CommandIo {
  return {
    result: (line) => void texts.push(line),
    write: async () => 'ready',
    note: () => {},
    status: () => {},
    isInteractive: false,
    terminal: undefined,
    readInput: async () => new Uint8Array(),
    streamInput: async function* () {},
    lowerPriority: () => {},
    environment: {},
    setFailed: () => {},
  }
}
