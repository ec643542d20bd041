import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { foldName, toTokens } from '../../../core/shared/text.ts'
import { codePoint } from '../../helpers/code-point.ts'

const CASES: readonly (readonly [text: string, tokens: string])[] = [
  ['getUserByID', 'get user by id'],
  ['list_pull_requests', 'list pull requests'],
  ['/repos/{owner}/git-hooks', 'repos owner git hooks'],
  ['HTTPServer parseHTTPResponse', 'http server parse http response'],
  ['URLs of userIDs', 'urls of user ids'],
  ['oauth2 OAuth2', 'oauth2 oauth oauth2 oauth'],
  ['v2 s3 html2pdf', 'v2 s3 html2pdf html pdf'],
  ['JSON2Video', 'json2 json video'],
  ['iPhone eBay', 'iphone ebay'],
  ["a user's photo", 'a user photo'],
  ['it is 5pm', 'it is 5pm'],
  ['Számla CAFÉ Ｗｉｄｅ', 'szamla cafe wide'],
  ['天気予報', '天気 気予 予報'],
  ['API接口', 'api 接口'],
  ['날씨 예보', '날씨 예보'],
  ['Погода', 'погода'],
  ['', ''],
  ['--- !?', ''],
]

describe('toTokens', () => {
  it.each(CASES)('splits %j into words', (text, tokens) => {
    expect(toTokens(text).join(' ')).toBe(tokens)
  })

  it('truncates words to 40 characters', () => {
    expect(toTokens('x'.repeat(100))).toEqual(['x'.repeat(40)])
  })

  it('splits a run of any length', () => {
    expect(toTokens('漢'.repeat(300_000)).length).toBe(299_999)
    expect(toTokens('aBc'.repeat(100_000)).length).toBe(100_000)
  })

  it('returns folded words that are found again, for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: codePoint, maxLength: 60 }), (text) => {
        for (const token of toTokens(text)) {
          expect(token).toMatch(/^[\p{L}\p{N}\p{M}]{1,40}$/u)
          expect(toTokens(token)).toContain(token)
        }
      }),
      { seed: 1, numRuns: 500 },
    )
  })
})

describe('foldName', () => {
  it('folds case, accents, widths and white space', () => {
    expect(foldName('  Ｃａｆé \t  DU\u00a0Monde ')).toBe('cafe du monde')
  })
})
