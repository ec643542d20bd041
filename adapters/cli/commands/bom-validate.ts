import type { Command } from 'commander'
import { type BomVerdict, explainBom } from '../../../core/index.ts'
import { readText, withName } from '../bom-files.ts'
import { printVerdict } from '../bom-text.ts'
import type { CommandIo } from '../io.ts'
import type { GlobalOptions } from '../service.ts'
import { judgeXml } from '../xmllint.ts'

/** Adds `bom validate`. */
export function addBomValidateCommand(bom: Command, io: CommandIo): void {
  bom
    .command('validate')
    .argument('<file>', 'document to judge; - for standard input')
    .description(
      'Tell whether a document is valid CycloneDX, and if not, why and how to repair it.',
    )
    .addHelpText(
      'after',
      `
JSON is judged by the official schema, XML by the official XSD where xmllint is installed, else by
the rules that producers break most. Exit code 1 for what is not valid.

Example:
  api-discovery bom validate bom.json`,
    )
    .action(async (file: string, _, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const text = await readText(io, file)
      const verdict = await withName(file, () => judge(text))
      if (options.json) io.result(JSON.stringify(verdict))
      else printVerdict(io, verdict)
      if (!verdict.isValid) return io.setFailed()
      io.note(verdict.isBySchema ? 'It is valid.' : 'Nothing wrong was found.')
      if (!verdict.isBySchema) io.note('Install xmllint to judge XML by the official XSD.')
    })
}

/** The core's verdict; on an XML document that it has nothing to say of, that of the XSD. */
async function judge(text: string): Promise<BomVerdict> {
  const verdict = await explainBom(text)
  if (verdict.shape !== 'cyclonedx-xml' || !verdict.isValid) return verdict
  const said = await judgeXml(text, verdict.version)
  if (!said) return verdict
  const explanations = said.map((line) => ({
    pointer: '',
    what: line,
    why: 'The official XSD says so',
    repair: 'change the element so that this holds',
  }))
  return { ...verdict, isBySchema: true, isValid: said.length === 0, explanations }
}
