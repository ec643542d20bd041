// Writes the generated pages of docs/reference: npm run docs
import { mkdir, writeFile } from 'node:fs/promises'
import { REFERENCE_FOLDER, REFERENCE_PAGES } from './reference-pages.ts'

await mkdir(REFERENCE_FOLDER, { recursive: true })
for (const [name, render] of Object.entries(REFERENCE_PAGES)) {
  await writeFile(new URL(name, REFERENCE_FOLDER), await render())
}
