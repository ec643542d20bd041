import type { Program } from '../program.ts'
import type { SyntaxNode } from '../syntax.ts'

/** What a JavaScript or TypeScript text says. */
export function lowerJavascript(root: SyntaxNode): Program {
  void root
  return { scopes: [], imports: [], bindings: [], calls: [], loose: [] }
}
