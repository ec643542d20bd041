import { shellClients } from '../../clients/shell.ts'
import type { Language } from '../../model/language.ts'
import { dockerCommands, makeCommands, packageCommands, workflowCommands } from './embedded.ts'
import { lowerShell } from './lower.ts'

const shell = {
  grammar: 'shell',
  extensions: [],
  lower: lowerShell,
  clients: shellClients,
  family: 'shell',
  isWorthParsing: (text: string) => /\b(?:curl|wget|https?|xhs?|websocat)\s/.test(text),
} as const

/** Shell scripts, and the files that hold commands of the shell. */
export const SHELL_LANGUAGES: readonly Language[] = [
  {
    ...shell,
    extensions: ['.sh', '.bash', '.zsh', '.ksh', '.bats', '.envrc', '.command'],
    interpreters: ['sh', 'bash', 'zsh', 'dash', 'ksh', 'ash'],
    fits: /(?:^|\/)\.(?:bashrc|bash_profile|zshrc|profile|envrc)$/,
  },
  {
    ...shell,
    fits: /(?:^|\/)(?:dockerfile|(?:[\w.-]+\.)?(?:Dockerfile|Containerfile)(?:\.[\w.-]+)?|[\w-]+\.dockerfile)$/,
    prepare: dockerCommands,
  },
  {
    ...shell,
    fits: /(?:^|\/)(?:makefile|(?:GNU)?Makefile(?:\.[\w-]+)?|[\w.-]+\.mk)$/,
    prepare: makeCommands,
  },
  {
    ...shell,
    fits: /(?:^|\/)(?:\.(?:github|forgejo|gitea)\/(?:workflows|actions)\/.*\.ya?ml|action\.ya?ml|\.gitlab-ci[\w.-]*\.yml|\.gitlab\/.*\.yml|\.circleci\/.*\.ya?ml|\.travis\.yml|azure-pipelines[\w.-]*\.ya?ml|bitbucket-pipelines\.yml|appveyor\.yml|\.drone\.ya?ml|\.woodpecker.*\.ya?ml|cloudbuild\.ya?ml|[Tt]askfile\.ya?ml)$/,
    prepare: workflowCommands,
  },
  {
    ...shell,
    fits: /(?:^|\/)(?:package|composer|deno)\.jsonc?$/,
    prepare: packageCommands,
  },
]
