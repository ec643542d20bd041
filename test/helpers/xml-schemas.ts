import { existsSync, readFileSync } from 'node:fs'
import { validateXML } from 'xmllint-wasm'
import { findSharedData } from './shared-data.ts'

/** Validates documents with the official XSD of a version. Empty if all are valid. */
export type JudgeXml = (documents: readonly string[]) => Promise<readonly string[]>

/** Creates a validator from the XSDs next to the project; undefined if they are missing. */
export function openXmlJudge(version: string): JudgeXml | undefined {
  const folder = findSharedData()
  const file = (name: string) => `${folder}/cyclonedx/xsd/${name}.xsd`
  if (folder === undefined || !existsSync(file(`bom-${version}`))) return undefined
  const spdx = { fileName: 'spdx.xsd', contents: readFileSync(file('spdx'), 'utf8') }
  // The schema references the other one by its URL, but nothing is fetched.
  const schema = readFileSync(file(`bom-${version}`), 'utf8').replace(
    /schemaLocation="[^"]*spdx[^"]*"/,
    'schemaLocation="spdx.xsd"',
  )
  return async (documents) => {
    const xml = documents.map((contents, index) => ({ fileName: `bom-${index}.xml`, contents }))
    const result = await validateXML({ xml, schema: [schema], preload: [spdx] })
    return result.valid ? [] : result.errors.map(({ rawMessage }) => rawMessage)
  }
}
