import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { openGuides } from '../../../adapters/web/guides/guides.ts'
import { ROOT } from '../../helpers/build.ts'
import { makeFolder } from '../../helpers/folder.ts'

test('Guides explain that they are not installed, and are read once they are', async () => {
  const folder = await makeFolder()
  const guides = openGuides(pathToFileURL(`${folder.pathOf('docs')}/`))
  const problem = {
    code: 'not_found',
    message: 'The guides are not installed: the folder "docs" of the package is missing',
  }
  await expect(guides.list()).rejects.toMatchObject(problem)
  await expect(guides.find('import')).rejects.toMatchObject(problem)
  await expect(guides.findPicture('vulnerabilities')).rejects.toMatchObject(problem)
  await mkdir(folder.pathOf('docs/guides'), { recursive: true })
  await writeFile(folder.pathOf('docs/guides/import.md'), '# Title\n\nText.')
  expect(await guides.find('import')).toMatchObject({ title: 'Title', summary: 'Text.' })
  await folder.remove()
  expect(await guides.find('import')).toMatchObject({ title: 'Title' })
})

test('Guides of modules that were loaded over HTTP come from their origin', async () => {
  const server = createServer(async (request, response) => {
    const path = join(ROOT, new URL(request.url ?? '', 'http://any').pathname)
    const body = path.includes('search') ? undefined : await readFile(path).catch(() => undefined)
    response.writeHead(body ? 200 : path.includes('search') ? 500 : 404).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const bound = server.address()
  const port = typeof bound === 'object' && bound ? bound.port : 0
  const guides = openGuides(new URL(`http://127.0.0.1:${port}/docs/`))
  expect(await guides.find('import')).toMatchObject({ title: 'Import API descriptions' })
  expect((await guides.findPicture('vulnerabilities'))?.length).toBeGreaterThan(1000)
  await expect(guides.find('search')).rejects.toThrow('Cannot load')
  const missing = openGuides(new URL(`http://127.0.0.1:${port}/none/`))
  await expect(missing.find('import')).rejects.toMatchObject({ code: 'not_found' })
  server.closeAllConnections?.()
  await new Promise((resolve) => server.close(resolve))
})
