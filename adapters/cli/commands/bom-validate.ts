import { type BomValidation, explainBom } from '../../../core/boms/index.ts'
import { readTextFile, withFileName } from '../bom-files.ts'
import { printBomVerdict } from '../bom-text.ts'
import { defineCommand } from '../define-command.ts'
import { validateXml } from '../xmllint.ts'

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
