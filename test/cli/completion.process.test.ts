import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCommand } from '../helpers/command-line.ts'
import { makeFolder, type TestFolder } from '../helpers/folder.ts'

const run = promisify(execFile)

/** Whether a shell is installed. */
async function hasShell(shell: string): Promise<boolean> {
  return run(shell, ['-c', 'true']).then(
    () => true,
    () => false,
  )
}

const [hasBash, hasZsh, hasFish] = await Promise.all(['bash', 'zsh', 'fish'].map(hasShell))

/** Typed words and expected completions. */
const CASES: readonly (readonly [words: readonly string[], offered: readonly string[]])[] = [
  [['se'], ['serve', 'search', 'secret']],
  [['scan', 'p'], ['project']],
  [['scan', 'project', '--sari'], ['--sarif']],
  [
    ['serve', '--log-format', ''],
    ['json', 'text'],
  ],
  [
    ['scan', 'project', '.', '--fail-on', ''],
    ['unapproved', 'no-terms', 'kev', 'new'],
  ],
  [['bom', 'convert', 'a.json', '--to', 'cyclonedx-x'], ['cyclonedx-xml']],
  [['--database', 'serve', 'keys', 'cr'], ['create']],
  [['completion', 'ba'], ['bash']],
  [['nonsense', 'xyz'], []],
]

let folder: TestFolder
const scripts = new Map<string, string>()

beforeAll(async () => {
  folder = await makeFolder()
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { code, results } = await runCommand(['completion', shell])
    expect(code).toBe(0)
    const file = folder.pathOf(`completion.${shell}`)
    await writeFile(file, `${results.join('\n')}\n`)
    scripts.set(shell, file)
  }
})

afterAll(() => folder.remove())

it('explains how to install the command that the script completes', async () => {
  const ofClone = await runCommand(['completion', 'bash'], { program: 'npm run -s cli --' })
  expect(ofClone.notes).toEqual([
    'The script completes the command "api-discovery". To install it, run "npm run build && npm link" in a clone, or "npm i -g api-discovery".',
  ])
  expect((await runCommand(['completion', 'bash'])).notes).toEqual([])
})

/** Runs a shell script; its arguments are the completion script and the typed words. */
async function offer(
  shell: string,
  { code, words }: { readonly code: string; readonly words: readonly string[] },
): Promise<readonly string[]> {
  const options = shell === 'zsh' ? ['-f', '-c'] : ['-c']
  const { stdout } = await run(shell, [
    ...options,
    code,
    ...(shell === 'fish' ? [] : [shell]),
    scripts.get(shell) ?? '',
    ...words,
  ])
  return stdout.split('\n').filter((line) => line !== '')
}

describe('completion', () => {
  it.skipIf(!hasBash)(`completes in bash${hasBash ? '' : ' (bash not found)'}`, async () => {
    const code = `source "$1"; shift
      complete -p api-discovery >/dev/null || exit 1
      COMP_WORDS=(api-discovery "$@") COMP_CWORD=$# COMPREPLY=()
      _api_discovery; printf '%s\n' "\${COMPREPLY[@]}"`
    for (const [words, offered] of CASES) {
      expect([words, await offer('bash', { code, words })]).toEqual([words, offered])
    }
  })

  it.skipIf(!hasZsh)(`completes in zsh${hasZsh ? '' : ' (zsh not found)'}`, async () => {
    // Simulates the completion system of an interactive shell.
    const code = `compdef() { }; compadd() { shift; print -l -- \${(M)\${(P)1}:#\${words[CURRENT]}*} }; _files() { }
      source "$1"; shift
      words=(api-discovery "$@") CURRENT=$(($# + 1)); _api_discovery; true`
    for (const [words, offered] of CASES) {
      expect([words, await offer('zsh', { code, words })]).toEqual([words, offered])
    }
  })

  it.skipIf(!hasFish)(`completes in fish${hasFish ? '' : ' (fish not found)'}`, async () => {
    const code = 'source $argv[1]; complete -C (string join " " -- api-discovery $argv[2..])'
    for (const [words, offered] of CASES.filter(([typed]) => !typed.includes('nonsense'))) {
      const found = await offer('fish', { code, words })
      expect([words, found.map((line) => line.split('\t')[0]).sort()]).toEqual([
        words,
        [...offered].sort(),
      ])
    }
  })

  it('lists the supported shells', async () => {
    expect(await runCommand(['completion', 'tcsh'])).toMatchObject({
      code: 2,
      notes: [expect.stringContaining('Allowed choices are bash, zsh, fish')],
    })
    expect(await runCommand(['completion'])).toMatchObject({
      code: 2,
      notes: [
        "error: missing required argument 'bash|zsh|fish'",
        'Usage: api-discovery completion [options] <bash|zsh|fish> (all options: --help)',
      ],
    })
  })
})
