import { writeFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { readCallValues } from '../../adapters/cli/gateway-values.ts'
import { makeFolder } from '../helpers/folder.ts'

function readValues(words: readonly string[]) {
  return readCallValues(words, { readInput: async () => new TextEncoder().encode('input') })
}

describe('the values of a call', () => {
  it('are text, JSON and files by name', async () => {
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
      'log=@-',
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
      log: {
        bytes: new TextEncoder().encode('input'),
        filename: 'input',
        mediaType: 'application/octet-stream',
      },
    })
  })

  it('preserve JSON digits beyond the precision of a number', async () => {
    const values = await readValues(['id:=[9007199254740993]', 'in:={"n":9007199254740993}'])
    expect(JSON.stringify(values)).toBe('{"id":[9007199254740993],"in":{"n":9007199254740993}}')
  })

  it('with the same name become a list', async () => {
    expect(await readValues(['a=1', 'b=1', 'a:=2', 'a:=[3]'])).toEqual({
      a: ['1', 2, [3]],
      b: '1',
    })
  })

  it('can have names of object prototype members', async () => {
    const values = await readValues(['__proto__=1', 'constructor=2'])
    expect(Object.entries(values)).toEqual([
      ['__proto__', '1'],
      ['constructor', '2'],
    ])
  })

  it.each([
    ['city', 'Invalid value "city": it must be name=text, name:=json or name=@file'],
    ['=x', 'Invalid value "=x": it must be name=text, name:=json or name=@file'],
    [':=1', 'Invalid value ":=1": it must be name=text, name:=json or name=@file'],
    ['a:=[', 'Invalid value of "a": the text after ":=" must be JSON'],
    ['a=@absent.txt', 'Cannot read absent.txt: file not found'],
  ])('are rejected if they are invalid: %s', async (word, message) => {
    await expect(readValues([word])).rejects.toThrow(message)
  })
})
