import { readFileSync } from 'node:fs'

/** The naughty strings of the data beside the project; empty, and said so, when it is not there. */
export function readNaughtyStrings(): readonly string[] {
  try {
    const url = new URL('../../../shared/data/hostile/naughty-strings.json', import.meta.url)
    const texts: unknown = JSON.parse(readFileSync(url, 'utf8'))
    return Array.isArray(texts) ? texts.map(String) : []
  } catch {
    console.warn('Skipped the naughty strings: ../shared/data is not there')
    return []
  }
}
