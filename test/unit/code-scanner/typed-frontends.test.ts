import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openGrammars } from '../../../adapters/scanner/grammars.ts'
import { cSharp } from '../../../core/code-scanner/languages/c-sharp.ts'
import { go } from '../../../core/code-scanner/languages/go.ts'
import { java } from '../../../core/code-scanner/languages/java.ts'
import { javascript } from '../../../core/code-scanner/languages/javascript.ts'
import { rust } from '../../../core/code-scanner/languages/rust.ts'
import type { Program } from '../../../core/code-scanner/model/program.ts'

const ROOT = 'fixtures/scans'
const languages = [
  { name: 'go', lower: go.lower, file: 'go/messages.go' },
  { name: 'java', lower: java.lower, file: 'java/com/shop/WeatherService.java' },
  { name: 'c-sharp', lower: cSharp.lower, file: 'c-sharp/Services/Messages.cs' },
  { name: 'tsx', lower: javascript.lower, file: 'javascript/shop/src/api/orders.ts' },
  { name: 'rust', lower: rust.lower, file: 'rust/src/payments.rs' },
] as const
const grammars = await openGrammars(languages.map(({ name }) => name))

describe.skipIf(!grammars)('programs of damaged texts (skipped without grammars)', () => {
  it.each(languages)(
    'are whole in $name: places inside, calls in order',
    ({ name, lower, file }) => {
      const whole = readFileSync(`${ROOT}/${file}`, 'utf8')
      const cut = fc.tuple(
        fc.nat(whole.length),
        fc.nat(60),
        fc.constantFrom('', '{', '"', '(', 'é'),
      )
      fc.assert(
        fc.property(fc.array(cut, { minLength: 1, maxLength: 4 }), (cuts) => {
          let text = whole
          for (const [at, length, inserted] of cuts) {
            text = text.slice(0, at) + inserted + text.slice(at + length)
          }
          const tree = grammars?.parse(name, text)
          if (!tree) return
          const program = lower(tree.root)
          tree.free()
          expect(faultsOf(program, text)).toEqual([])
        }),
        { seed: 5, numRuns: 60 },
      )
    },
  )

  it.each(languages)('are bounded in $name, however deep and long', ({ name, lower }) => {
    const nested = `${'('.repeat(3000)}a${')'.repeat(3000)}`
    const sum = Array.from({ length: 3000 }, (_, index) => `a${index}`).join(' + ')
    for (const value of [nested, sum]) {
      const body = { go: `x := ${value}`, rust: `let x = ${value};` }[name as string]
      const line = body ?? `var x = ${value};`
      const text = {
        go: `package a\nfunc f() {\n${line}\n}\n`,
        rust: `fn f() {\n${line}\n}\n`,
        tsx: line,
      }[name as string]
      const tree = grammars?.parse(name, text ?? `class A { void f() {\n${line}\n} }\n`)
      if (!tree) continue
      const program = lower(tree.root)
      tree.free()
      expect(program.calls).toEqual([])
    }
  })
})

function faultsOf(program: Program, text: string): readonly string[] {
  const lines = text.split('\n')
  const faults: string[] = []
  let last = -1
  for (const { place, callee, scope } of program.calls) {
    if (place.index < last) faults.push(`${callee} stands before the call before it`)
    last = place.index
    if (place.line > lines.length || place.column < 1) faults.push(`${callee} stands nowhere`)
    if (!program.scopes[scope]) faults.push(`${callee} has no scope`)
  }
  for (const { name, scope } of program.bindings) {
    if (!program.scopes[scope]) faults.push(`${name} has no scope`)
  }
  return faults
}
