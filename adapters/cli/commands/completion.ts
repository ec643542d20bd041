import { COMPLETION_SCRIPTS, type CompletionShell, listCompletions } from '../completion-scripts.ts'
import { defineCommand } from '../define-command.ts'

const SHELLS = Object.keys(COMPLETION_SCRIPTS) as readonly CompletionShell[]

const PROGRAM = 'api-discovery'
const INSTALLATION = `The script completes the command "${PROGRAM}". To install it, run "npm run build && npm link" in a clone, or "npm i -g ${PROGRAM}".`

/** `completion`. */
export const completionCommand = defineCommand({
  name: 'completion',
  description: 'Print a shell completion script',
  arguments: [['<bash|zsh|fish>', 'shell to complete for', { choices: SHELLS }]],
  examples: [
    'source <(api-discovery completion bash)',
    `api-discovery completion zsh > "\${fpath[1]}/_api-discovery"`,
    'api-discovery completion fish > ~/.config/fish/completions/api-discovery.fish',
  ],
  async run({ io, words: [shell] }) {
    // A static import would load every command for every command line.
    const { createProgram } = await import('../program.ts')
    const whole = await createProgram({ io, words: 'all' })
    return {
      text: COMPLETION_SCRIPTS[shell](listCompletions(whole)),
      note: io.program === undefined || io.program === PROGRAM ? undefined : INSTALLATION,
    }
  },
})
