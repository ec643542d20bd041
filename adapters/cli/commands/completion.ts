import { Argument, type Command } from 'commander'
import { COMPLETION_SCRIPTS, type CompletionShell, listCompletions } from '../completion-scripts.ts'
import type { CommandIo } from '../io.ts'

const SHELLS = Object.keys(COMPLETION_SCRIPTS) as readonly CompletionShell[]

/** Adds `completion`. */
export function addCompletionCommand(program: Command, io: CommandIo): void {
  program
    .command('completion')
    .addArgument(new Argument('<bash|zsh|fish>', 'shell to complete for').choices(SHELLS))
    .description('Print a shell completion script')
    .addHelpText(
      'after',
      `
Examples:
  source <(api-discovery completion bash)
  api-discovery completion zsh > "\${fpath[1]}/_api-discovery"
  api-discovery completion fish > ~/.config/fish/completions/api-discovery.fish`,
    )
    .action(async (shell: CompletionShell) => {
      // A static import would load every command for every command line.
      const { createProgram } = await import('../program.ts')
      const whole = await createProgram({ io, words: 'all' })
      io.result(COMPLETION_SCRIPTS[shell](listCompletions(whole)))
    })
}
