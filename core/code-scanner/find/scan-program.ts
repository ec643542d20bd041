import type { RuleIndex } from '../clients/client-rules.ts'
import type { Candidate, FileScan } from '../model/file-scan.ts'
import { toKey, toText } from '../model/pattern.ts'
import type { ClientRule, Program } from '../model/program.ts'
import { isMock, isTestModule } from '../noise/noise-calls.ts'
import { authorityOf, withoutScheme } from '../noise/url-hosts.ts'
import { findConstructions } from '../resolve/constructions.ts'
import { findDescribedRequests } from '../resolve/described-requests.ts'
import { createEvaluator } from '../resolve/evaluate.ts'
import { findExports } from '../resolve/exports.ts'
import { findExternalCalls } from '../resolve/external-calls.ts'
import { findForwardedCalls } from '../resolve/forwarded-calls.ts'
import { indexOwnBases } from '../resolve/own-base.ts'
import { createCallReader } from '../resolve/read-calls.ts'
import { findRequestClasses } from '../resolve/request-classes.ts'
import { type AiImport, findAiUsage } from './ai-usage.ts'
import { findCalls } from './find-calls.ts'
import { findLiterals } from './find-literals.ts'
import { createVendorNamer } from './vendor-namer.ts'

/** Scans a program, regardless of its language. */
export function scanProgram(
  program: Program,
  clients: { readonly rules: readonly ClientRule[]; readonly index: RuleIndex },
  {
    path,
    language,
    ...ai
  }: {
    readonly path: string
    readonly language: string
    readonly libraries: readonly AiImport[]
    readonly router: string | undefined
  },
): Omit<FileScan, 'path' | 'language' | 'findings'> {
  const evaluator = createEvaluator(program)
  const reader = createCallReader({ program, evaluator, ...clients })
  const isDouble = (callee: string) => {
    const module = evaluator.names.findImport(callee)?.from.module
    return isMock(callee, module === undefined ? undefined : { family: language, module })
  }
  const ownBases = indexOwnBases(program, evaluator)
  const constructions = findConstructions(evaluator)
  const nameVendor = createVendorNamer({ path, language, program, evaluator })
  const doubles = new Set(program.calls.filter(({ callee }) => isDouble(callee)))
  const { candidates, wrapped, settled, wrapperCalls } = findCalls({
    path,
    language,
    program,
    evaluator,
    reader,
    doubles,
    ownBases,
    constructions,
    nameVendor,
  })
  const called = candidates.map(({ url }) => toText(url)).filter((url) => /[./]/.test(url))
  const calledAt = new Set(candidates.map(({ line, column }) => `${line}:${column}`))
  const literals = findLiterals({ program, evaluator, constructions, doubles, called, calledAt })
  const external = findExternalCalls({ evaluator, reader, settled, ownBases })
  const described = findDescribedRequests(evaluator, settled)
  const forwarded = findForwardedCalls(evaluator, settled)
  const requests = findRequestClasses(evaluator, constructions)
  const exports = findExports({
    ...{ evaluator, reader, wrapped, constructions },
    forwarded: forwarded.byFunction,
    connectors: requests.bases,
  })
  const reexports = program.imports
    .filter(({ local, imported }) => local === '*' && imported === '*')
    .map(({ module }) => module)
  const isTest = program.imports.some(({ module }) => isTestModule({ family: language, module }))
  const usage = findAiUsage(program, { evaluator, ...ai })
  return {
    ...(usage && { ai: usage }),
    ...(isTest && { isTest: true as const }),
    candidates: onePerLine([...candidates, ...requests.candidates, ...literals]),
    externalCalls: [...external, ...forwarded.externalCalls, ...described],
    references: evaluator.references,
    exports,
    reexports,
    ...(wrapperCalls.size > 0 && { wrapperCalls }),
  }
}

/** Selects one candidate per host and line unless they are calls; calls precede literals. */
function onePerLine(all: readonly Candidate[]): readonly Candidate[] {
  const selected = new Map<string, Candidate>()
  const lines = new Set<string>()
  for (const candidate of all) {
    const text = toText(candidate.url)
    const place = `${candidate.line} ${authorityOf(withoutScheme(text.trim()))}`
    const key = `${candidate.line} ${candidate.column} ${text} ${toKey(candidate.method)}`
    const isSelected = candidate.via === 'call' ? selected.has(key) : lines.has(place)
    if (!isSelected) selected.set(key, candidate)
    lines.add(place)
  }
  return [...selected.values()]
}
