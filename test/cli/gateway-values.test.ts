import { writeFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { readValues } from '../../adapters/cli/gateway-values.ts'
import { makeFolder } from '../helpers/folder.ts'

describe('the values of a call', () => {
  it('are texts, JSON and files by name', async () => {
    const folder = await makeFolder()
    const file = folder.pathOf('cat.PNG')
    await writeFile(file, 'png')
    const values = await readValues([
      'city=Tallinn',
      'q==x:=y',
      'empty=',
      'days:=3',
      'tags:=["a","b"]',
      'at:="@text"',
      'query.id=7',
      `photo=@${file}`,
    ])
    await folder.remove()
    expect(values).toEqual({
      city: 'Tallinn',
      q: '=x:=y',
      empty: '',
      days: 3,
      tags: ['a', 'b'],
      at: '@text',
      'query.id': '7',
      photo: {
        bytes: new TextEncoder().encode('png'),
        filename: 'cat.PNG',
        mediaType: 'image/png',
      },
    })
  })

  it('that are given again make a list', async () => {
    expect(await readValues(['a=1', 'b=1', 'a:=2', 'a:=[3]'])).toEqual({
      a: ['1', 2, [3]],
      b: '1',
    })
  })

  it('have names that may be those of every object', async () => {
    const values = await readValues(['__proto__=1', 'constructor=2'])
    expect(Object.entries(values)).toEqual([
      ['__proto__', '1'],
      ['constructor', '2'],
    ])
  })

  it.each([
    ['city', 'Cannot read the value "city": it must be name=text, name:=json or name=@file'],
    ['=x', 'Cannot read the value "=x": it must be name=text, name:=json or name=@file'],
    [':=1', 'Cannot read the value ":=1": it must be name=text, name:=json or name=@file'],
    ['a:=[', 'Cannot read the value of "a": what follows ":=" must be JSON'],
    ['a=@absent.txt', 'Cannot read absent.txt: ENOENT'],
  ])('that cannot be read are refused: %s', async (word, message) => {
    await expect(readValues([word])).rejects.toThrow(message)
  })
})
