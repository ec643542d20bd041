import { describe, expect, it } from 'vitest'
import { isInComment } from '../../../core/code-scanner/model/comments.ts'

/** Whether the word `HERE` of a text is in a comment. */
function isHidden(path: string, text: string, kind?: 'code' | 'data'): boolean {
  return isInComment({ path, text }, text.indexOf('HERE'), kind)
}

describe('comments', () => {
  it.each([
    ['a.ts', '// HERE'],
    ['a.ts', 'f()\n  /*\n  HERE'],
    ['a.py', '# HERE'],
    ['page.html', '<p><!--\nHERE'],
    ['page.html', '<!-- s.startsWith("<!--")\nHERE'],
    ['pom.xml', '<a/> <!--\nHERE'],
    ['main.tf', '/*\nHERE'],
    ['a.vue', '<style>\n/*\nHERE'],
    ['a.tsx', '<p>\n  {/* HERE */}'],
    ['a.jsx', '<p>\n  {/*\n    HERE'],
  ])('in %s hide what follows: %j', (path, text) => {
    expect(isHidden(path, text)).toBe(true)
  })

  it.each([
    ['a.js', "if (s.startsWith('<!--')) f()\nHERE"],
    ['a.js', 'const comment = "a <!--"\nHERE'],
    ['page.html', "<script>s.startsWith('<!--')</script>\nHERE"],
    ['a.py', 'TEXT = """\n/*\n"""\nHERE'],
    ['deploy.sh', 'cat > _redirects <<END\n/* HERE'],
    ['deploy.sh', 'cat > _headers <<END\n/*\nEND\nHERE'],
    ['a.ts', '/* a */\nHERE'],
    ['a.tsx', '<p>\n  {/* a */}\n  HERE'],
    ['a.ts', 'f("src/*")\nHERE'],
  ])('in %s do not begin with %j', (path, text) => {
    expect(isHidden(path, text)).toBe(false)
  })

  it('of data begin with any # or ;', () => {
    expect(isHidden('a.ini', ';HERE', 'data')).toBe(true)
    expect(isHidden('a.ini', ';HERE')).toBe(false)
    expect(isHidden('_redirects', '/* HERE', 'data')).toBe(false)
  })

  it('do not begin in the middle of a long line', () => {
    const text = `${' //'.repeat(1000)} HERE`
    const at = text.indexOf('HERE')
    const lines = [0, 1, 2].map((blanks) => ({
      path: 'a.ts',
      text: `x${' '.repeat(blanks)}${text}`,
    }))
    expect(lines.map((file, blanks) => isInComment(file, at + 1 + blanks))).toEqual(
      lines.map(() => false),
    )
  })
})
