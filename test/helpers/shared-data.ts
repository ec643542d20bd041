import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The folder of real data next to the project; undefined, with a note, if it is missing. */
export function findSharedData(): string | undefined {
  const folder = fileURLToPath(new URL('../../../shared/data', import.meta.url))
  if (existsSync(folder)) return folder
  console.warn('Skipped the real data: ../shared/data is not there')
  return undefined
}

/** The naughty strings next to the project; empty, with a note, if they are missing. */
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
