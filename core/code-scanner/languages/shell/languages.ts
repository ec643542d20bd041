import { shellClients } from '../../clients/shell.ts'
import type { Language } from '../../model/language.ts'
import { matchPaths } from '../../model/path-patterns.ts'
import {
  dockerCommands,
  jenkinsCommands,
  justCommands,
  makeCommands,
  packageCommands,
  processCommands,
  stringCommands,
} from './embedded.ts'
import { lowerShell } from './lower.ts'
import { workflowCommands, yamlCommands } from './yaml-commands.ts'

const shell = {
  grammar: 'shell',
  extensions: [],
  lower: lowerShell,
  prepare: stringCommands,
  clients: shellClients,
  family: 'shell',
  mayContainCalls: (text: string) =>
    /\b(?:curl|wget|https?|xhs?|websocat|Invoke-(?:RestMethod|WebRequest))\s/.test(text),
} as const

/** Shell scripts, and the files that hold commands of the shell. */
export const SHELL_LANGUAGES: readonly Language[] = [
  {
    ...shell,
    extensions: ['.sh', '.bash', '.zsh', '.ksh', '.bats', '.envrc', '.command'],
    interpreters: ['sh', 'bash', 'zsh', 'dash', 'ksh', 'ash'],
    fits: matchPaths('.bashrc .bash_profile .zshrc .profile .envrc'),
  },
  {
    ...shell,
    fits: matchPaths('{Docker,Container}file{,.*} *.{Docker,Container}file{,.*}'),
    prepare: (text) => stringCommands(dockerCommands(text)),
  },
  { ...shell, fits: matchPaths('{,GNU}Makefile{,.*} *.mk'), prepare: makeCommands },
  { ...shell, fits: matchPaths('{,.}justfile *.just'), prepare: justCommands },
  { ...shell, fits: matchPaths('Jenkinsfile* *.jenkinsfile'), prepare: jenkinsCommands },
  { ...shell, fits: matchPaths('Procfile{,.*}'), prepare: processCommands },
  {
    ...shell,
    fits: matchPaths(`.{github,forgejo,gitea}/{workflows,actions}/**.{yml,yaml} action.{yml,yaml}
      .gitlab-ci*.{yml,yaml} .gitlab/**.{yml,yaml} .circleci/**.{yml,yaml} .travis.{yml,yaml}
      *azure-pipelines*.{yml,yaml} .azure*/**.{yml,yaml} bitbucket-pipelines.yml {,.}appveyor.yml
      .drone.{yml,yaml} .woodpecker{,/**}.{yml,yaml} .buildkite/**.{yml,yaml} cloudbuild*.{yml,yaml}
      buildspec*.{yml,yaml} Taskfile*.{yml,yaml} .cirrus.yml`),
    prepare: (text) => stringCommands(workflowCommands(text)),
  },
  {
    ...shell,
    fits: matchPaths('*.{yml,yaml}'),
    prepare: (text) => stringCommands(yamlCommands(text)),
  },
  { ...shell, fits: matchPaths('{package,composer,deno}.{json,jsonc}'), prepare: packageCommands },
]
