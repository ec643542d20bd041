import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { type BomValidation, explainBom } from '../../../core/boms/index.ts'
import { readTextFile, withFileName } from '../bom-files.ts'
import { printBomVerdict } from '../bom-text.ts'
import { defineCommand } from '../define-command.ts'

/** `bom validate`. */
export const bomValidateCommand = defineCommand({
  name: 'validate',
  description: 'Validate a CycloneDX document and explain how to fix it',
  arguments: [['<file>', 'document to validate; - for standard input']],
  details: `
JSON is validated with the official schema. XML is validated with the official XSD if xmllint is
installed, otherwise with built-in rules for the most frequent errors.

Exit codes:
  0  valid
  1  not valid or not readable`,
  examples: ['bom validate bom.json', 'bom validate - --json < bom.xml'],
  async run({ io, words: [file], options }) {
    const text = await readTextFile(io, file)
    const verdict = await withFileName(file, () => validateBom(text))
    if (options.json) io.result(JSON.stringify(verdict))
    else printBomVerdict(io, verdict)
    if (!verdict.isValid) return io.setFailed()
    io.note(verdict.isBySchema ? 'Valid.' : 'No errors found.')
    if (!verdict.isBySchema) io.note('Install xmllint to validate XML with the official XSD.')
  },
})

/** Validates with the core's rules, then, for XML without findings, with the XSD. */
async function validateBom(text: string): Promise<BomValidation> {
  const verdict = await explainBom(text)
  if (verdict.shape !== 'cyclonedx-xml' || !verdict.isValid) return verdict
  const errors = await validateXml(text, verdict.version)
  if (!errors) return verdict
  const explanations = errors.map((line) => ({
    pointer: '',
    what: line,
    why: 'The official XSD requires it',
    repair: 'change the element to satisfy this rule',
  }))
  return { ...verdict, isBySchema: true, isValid: errors.length === 0, explanations }
}

/** Maximum number of reported errors. */
const MAX_LINES = 50

/**
 * Validates an XML document with `xmllint` and the official XSD of a version. Resolves with its
 * error messages, empty if the document is valid, or with undefined if `xmllint` is not installed.
 */
function validateXml(text: string, version: string): Promise<readonly string[] | undefined> {
  const manifest = createRequire(import.meta.url).resolve(
    '@cyclonedx/cyclonedx-library/package.json',
  )
  const schema = join(dirname(manifest), 'res', 'schema', `bom-${version}.SNAPSHOT.xsd`)
  return new Promise((resolve) => {
    const child = spawn('xmllint', ['--noout', '--nonet', '--schema', schema, '-'], {
      stdio: ['pipe', 'ignore', 'pipe'],
    })
    let errorOutput = ''
    child.on('error', () => resolve(undefined))
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      if (errorOutput.length < 1_000_000) errorOutput += chunk
    })
    child.on('close', (code) => {
      if (code === 0) return resolve([])
      const lines = errorOutput
        .split('\n')
        .filter((line) => line !== '' && !/^- (?:fails|vali)/.test(line))
      resolve(lines.slice(0, MAX_LINES))
    })
    // `xmllint` may exit before it has read all input.
    child.stdin.on('error', () => {})
    child.stdin.end(text)
  })
}
