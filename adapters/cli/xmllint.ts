import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** At the most: a document of a hundred thousand errors says nothing more. */
const MAX_LINES = 50

/**
 * Judges an XML document by the official XSD of a version with `xmllint`: what it says, empty when
 * the document is valid; undefined when the program is not installed.
 */
export function judgeXml(text: string, version: string): Promise<readonly string[] | undefined> {
  const manifest = createRequire(import.meta.url).resolve(
    '@cyclonedx/cyclonedx-library/package.json',
  )
  const schema = join(dirname(manifest), 'res', 'schema', `bom-${version}.SNAPSHOT.xsd`)
  return new Promise((resolve) => {
    const child = spawn('xmllint', ['--noout', '--nonet', '--schema', schema, '-'], {
      stdio: ['pipe', 'ignore', 'pipe'],
    })
    let said = ''
    child.on('error', () => resolve(undefined))
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      if (said.length < 1_000_000) said += chunk
    })
    child.on('close', (code) => {
      if (code === 0) return resolve([])
      const lines = said
        .split('\n')
        .filter((line) => line !== '' && !/^- (?:fails|vali)/.test(line))
      resolve(lines.slice(0, MAX_LINES))
    })
    // It may end before it has read all.
    child.stdin.on('error', () => {})
    child.stdin.end(text)
  })
}
