import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** Maximum number of reported errors. */
const MAX_LINES = 50

/**
 * Validates an XML document with `xmllint` and the official XSD of a version. Resolves with its
 * error messages, empty if the document is valid, or with undefined if `xmllint` is not installed.
 */
export function validateXml(text: string, version: string): Promise<readonly string[] | undefined> {
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
