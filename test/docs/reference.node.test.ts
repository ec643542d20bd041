import { readdir, readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { REFERENCE_FOLDER, REFERENCE_PAGES } from './reference-pages.ts'

describe('docs/reference', () => {
  it.each(Object.entries(REFERENCE_PAGES))(
    '%s is current: "npm run docs" writes it',
    async (name, render) => {
      expect(await readFile(new URL(name, REFERENCE_FOLDER), 'utf8')).toBe(await render())
    },
  )

  it('contains no other page', async () => {
    const files = await readdir(REFERENCE_FOLDER)
    expect(files.sort()).toEqual(Object.keys(REFERENCE_PAGES).sort())
  })
})
