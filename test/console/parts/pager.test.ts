import { expect, test } from 'vitest'
import { pager } from '../../../adapters/web/parts/pager.ts'

const PATH = '/console/imports'

function linksOf(page: number, total: number, query = new URLSearchParams()) {
  const { text } = pager({ path: PATH, query, page, pageSize: 25, total })
  const links = [...text.matchAll(/href="([^"]+)" rel="(\w+)"/g)].map(([, to, rel]) => [rel, to])
  return { links, words: /<span>(.*)<\/span>/.exec(text)?.[1] }
}

test('A pager leads to the pages beside the present one', () => {
  expect(linksOf(2, 60, new URLSearchParams({ q: 'a&b' }))).toEqual({
    links: [
      ['prev', `${PATH}?q=a%26b&amp;page=1`],
      ['next', `${PATH}?q=a%26b&amp;page=3`],
    ],
    words: 'Page 2 of 3',
  })
  expect(linksOf(1, 25)).toEqual({ links: [], words: undefined })
})

test('From beyond the last page it leads to that one, also where there is one page only', () => {
  expect(linksOf(99, 60)).toEqual({ links: [['prev', `${PATH}?page=3`]], words: '3 pages' })
  expect(linksOf(9, 3)).toEqual({ links: [['prev', `${PATH}?page=1`]], words: '1 page' })
  expect(linksOf(9, 0)).toEqual({ links: [], words: undefined })
})

test('It leads to the list where more stands above it', () => {
  const { text } = pager({
    path: PATH,
    query: new URLSearchParams(),
    page: 1,
    pageSize: 25,
    total: 60,
    anchor: 'uses',
  })
  expect(text).toContain(`href="${PATH}?page=2#uses"`)
})

test('It does not tell again what was done', () => {
  const query = new URLSearchParams({ done: 'all' })
  expect(linksOf(1, 60, query).links).toEqual([['next', `${PATH}?page=2`]])
})
