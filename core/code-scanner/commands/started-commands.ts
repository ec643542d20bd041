import { anyOf, lastName } from '../model/name-patterns.ts'
import type { Call, Expression, Import, Program } from '../model/program.ts'
import { toProgram, unwrap } from './read-commands.ts'
import { plainText } from './requests.ts'
import { toToolImport } from './tools.ts'

/**
 * Finds the commands that a program starts, as imports of their programs:
 * `subprocess.run(["gh", "pr", "list"])`, `execute :"sentry-cli", "releases", "new"`.
 */
export function listStartedCommands({ calls, scopes }: Program): readonly Import[] {
  // Functions and methods of the file that start what they are passed.
  const own = new Set(
    calls.flatMap(({ callee, args: [first], scope }) => {
      const { name = '', parameters = [], parent = -1 } = scopes[scope] ?? {}
      const isPassed = first?.kind === 'name' && parameters.includes(first.name)
      if (!isPassed || name === '' || !STARTS.test(callee)) return []
      return scopes[parent]?.kind === 'class' ? [name, `this.${name}`] : [name]
    }),
  )
  return calls.flatMap((call) => {
    if (!STARTS.test(call.callee) && !own.has(call.callee)) return []
    const isLater = lastName(call.callee) === 'CommandContext'
    const items = call.args.slice(isLater ? 1 : 0, MAX_WORDS).flatMap(toItems)
    const [first, ...rest] = items
    const [program, ...words] = first ? toWords(first) : []
    if (!first || !program) return []
    const command: Call = {
      ...{ ...call, place: first.place, callee: toProgram(plainText(program)) },
      args: [...words, ...rest],
    }
    const { callee, args, place } = unwrap(command)
    return toToolImport({ program: callee, args, place }) ?? []
  })
}

/** Whether a text may start a command that is accepted; cheap, with false positives. */
export function mayStartCommand(text: string, accepts: (program: string) => boolean): boolean {
  for (const { 1: program = '' } of text.matchAll(STARTED)) if (accepts(program)) return true
  return false
}

/** Calls that start a program: its words as one string, as a list or as arguments. */
const STARTS = new RegExp(
  [
    String.raw`^(?:.*\.)?(?:sh|system|execute|exec(?:a|Sync|File|FileSync|Command)?|spawn(?:Sync)?)$`,
    String.raw`(?:^|\.)(?:subprocess\.\w+|[pP]open[23]?(?:e)?|check_(?:call|output)|getoutput|capture[23]e?)$`,
    String.raw`(?:^|\.)(?:shell_exec|passthru|proc_open|create_subprocess_(?:exec|shell))$`,
    String.raw`^exec\.Command(?:Context)?$|^new (?:\w+\.)*(?:ProcessBuilder|Process)$`,
  ].join('|'),
)

const STARTED = new RegExp(
  String.raw`\b${anyOf`
    sh system exec\w* spawn\w* subprocess\.\w+ [pP]open\w* check_\w+ capture\w+ shell_exec passthru
    proc_open create_subprocess_\w+ Command\w* Process\w* run\w* \w+_(?:command|cmd|process)
  `}[\s([:]{1,40}(?:\w+,\s)?[fr]?["'\x60:]([\w@./-]{2,40})`,
  'g',
)

function toItems(value: Expression): readonly Expression[] {
  return value.kind === 'list' ? value.items.slice(0, MAX_WORDS) : [value]
}

/** The words of a string; unknown parts remain within their words. */
function toWords(value: Expression): readonly Expression[] {
  const { place } = value
  const text = plainText(value.kind === 'format' ? value.format : value)
  return text
    .split(/\s+/)
    .flatMap((word) => (word === '' ? [] : { kind: 'text', text: word, place }))
}

const MAX_WORDS = 30
