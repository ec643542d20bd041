import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, it } from 'vitest'
import { Language, Parser } from 'web-tree-sitter'
import {
  createRootNode,
  isTreeModule,
  readGrammarNames,
  type TreeModule,
} from '../../../adapters/scanner/tree-nodes.ts'
import type { SyntaxNode } from '../../../core/code-scanner/model/syntax.ts'

// The nodes of the library are the reference for ours.

const module: Partial<TreeModule> = {}
await Parser.init(module)

const TEXTS = {
  typescript: `import a from 'a'\nexport const url = \`https://é.example/\${a}/😀\` // ß\nfunction f(x: string) { return g(x, { k: [1, x] }) }\n`,
  python: `@route('/x')\nclass A(B):\n    def f(self, *, k=1):\n        return f"ü{k}" + self.g(k, name='x')\n`,
  ruby: 'x = <<~URL\n  https://é.example\nURL\nget(x, a: 1) { |y| y.b }\n',
  go: 'package a\n\nfunc (s *S) F(a, b string) (int, error) { return s.g(a+"ö", b...) ',
}

it.each(Object.entries(TEXTS))('reads the nodes of %s like the library', async (name, text) => {
  if (!isTreeModule(module)) throw new Error('The library has another module')
  const file = `@vscode/tree-sitter-wasm/wasm/tree-sitter-${name}.wasm`
  const language = await Language.load(readFileSync(createRequire(import.meta.url).resolve(file)))
  const tree = new Parser().setLanguage(language).parse(text)
  if (!tree) throw new Error('The text was not parsed')
  const root = createRootNode(tree, { module, names: readGrammarNames(language), text })
  const fields = language.fields.filter((field) => field !== null)
  const types = ['identifier', 'string_content', 'heredoc_body']
  const ours = toShown(root, { fields, types })
  expect(ours.length).toBeGreaterThan(30)
  expect(ours).toEqual(toShown(tree.rootNode, { fields, types }))
})

/** Converts a node and its descendants to plain data with all their properties. */
function toShown(
  root: SyntaxNode,
  asked: { readonly fields: readonly string[]; readonly types: readonly string[] },
): readonly unknown[] {
  const idOf = (node: SyntaxNode | null) => node?.id
  const shown: unknown[] = []
  const open: (SyntaxNode | null)[] = [root]
  for (let node = open.pop(); node; node = open.pop()) {
    const { id, type, text, isNamed, hasError, startIndex, endIndex, startPosition } = node
    shown.push({
      ...{ id, type, text, isNamed, hasError, startIndex, endIndex, startPosition },
      counts: [node.childCount, node.namedChildCount],
      parent: idOf(node.parent),
      children: node.children.map(idOf),
      namedChildren: node.namedChildren.map(idOf),
      ends: [node.child(0), node.child(99), node.namedChild(0), node.namedChild(99)].map(idOf),
      fields: asked.fields.map((field) => [
        idOf(node.childForFieldName(field)),
        node.childrenForFieldName(field).map(idOf),
      ]),
      ofType: asked.types.map((one) => node.descendantsOfType(one).map(idOf)),
      ofTypes: node.descendantsOfType(asked.types).map(idOf),
    })
    open.push(...node.children)
  }
  return shown
}
