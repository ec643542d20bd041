import ts from 'typescript'
import { type Page, readProse } from '../helpers/markdown.ts'
import type { Source } from './sources.ts'

const MAX_SENTENCE_WORDS = 40

/** Words that plain technical English rarely needs, with their limit per 1,000 words. */
const LIMITS = [
  { pattern: /\bwhat\b/gi, limit: 2 },
  { pattern: /\b(?:tells?|told|telling|untold)\b/gi, limit: 0.8 },
  { pattern: /\b(?:nobody|somebody|whoever|whom)\b/gi, limit: 0.2 },
  { pattern: /\b(?:stands?|stood|standing)\b/gi, limit: 0.3 },
  { pattern: /\b(?:anew|aside|beside|likewise|meanwhile)\b/gi, limit: 0.3 },
  { pattern: /\b(?:gives|given)\b/gi, limit: 1.2 },
  { pattern: /\bholds\b/gi, limit: 1 },
  { pattern: /\b(?:goes on|goes? along|as far as|at the most|none such)\b/gi, limit: 0.2 },
  { pattern: /(?:^\s*|[.:;]\s+)Of\s/g, limit: 0.1 },
] as const

interface Prose {
  /** Path and line, `core/app.ts:12`, or the path of a page. */
  readonly at: string
  readonly text: string
}

/** Finds the comments of a file. */
export function findComments({ path, tree }: Source): readonly Prose[] {
  const scanner = ts.createScanner(
    ts.ScriptTarget.Latest,
    false,
    ts.LanguageVariant.Standard,
    tree.text,
  )
  const found: Prose[] = []
  // Comments precede tokens. Only the parser knows where templates and regular expressions end.
  const visit = (node: ts.Node) => {
    if (node.getChildCount(tree) > 0) return node.getChildren(tree).forEach(visit)
    const start = node.getFullStart()
    const trivia = tree.text.slice(start, node.getStart(tree, false))
    scanner.setText(trivia)
    for (let kind = scanner.scan(); kind !== ts.SyntaxKind.EndOfFileToken; kind = scanner.scan()) {
      if (
        kind !== ts.SyntaxKind.SingleLineCommentTrivia &&
        kind !== ts.SyntaxKind.MultiLineCommentTrivia
      ) {
        continue
      }
      const text = scanner
        .getTokenText()
        .replace(/^\/[/*]+|\*\/$/g, '')
        .replace(/^\s*\*+ ?/gm, ' ')
      found.push({ at: `${path}:${lineAt(tree, start + scanner.getTokenStart())}`, text })
    }
  }
  visit(tree)
  return found
}

/** Finds string literals and templates of at least three words: messages, help, page texts. */
export function findTexts({ path, tree }: Source): readonly Prose[] {
  const found: Prose[] = []
  const visit = (node: ts.Node) => {
    const text = ts.isStringLiteralLike(node)
      ? node.text
      : ts.isTemplateExpression(node)
        ? [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('X')
        : ''
    if (countWords(text) >= 3 && !/[<>{}=;]/.test(text)) {
      found.push({ at: `${path}:${lineAt(tree, node.getStart(tree))}`, text })
    }
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return found
}

/** Finds the paragraphs, list items and table rows of a page, without code. */
export function findParagraphs(page: Page): readonly Prose[] {
  const found: { at: string; text: string }[] = []
  let isOpen = false
  for (const line of readProse(page)
    .replace(/`[^`\n]*`/g, 'X')
    .split('\n')) {
    const last = found.at(-1)
    const startsBlock = /^\s*(?:[|#>*-]|\d+\.)/.test(line)
    if (last && isOpen && !startsBlock && line.trim() !== '') last.text += ` ${line.trim()}`
    else found.push({ at: page.path, text: line })
    isOpen = line.trim() !== ''
  }
  return found
}

/** Finds words that occur too often, with their rate, their limit and the first locations. */
export function findOverusedWords(prose: readonly Prose[]): readonly string[] {
  const words = prose.reduce((sum, { text }) => sum + countWords(text), 0)
  return LIMITS.flatMap(({ pattern, limit }) => {
    const hits = prose.flatMap(({ at, text }) => [...text.matchAll(pattern)].map(() => at))
    const rate = (1000 * hits.length) / Math.max(1, words)
    if (rate <= limit) return []
    const places = [...new Set(hits)].slice(0, 8).join(', ')
    return [`${pattern.source}: ${rate.toFixed(1)} of 1,000 words, limit ${limit}: ${places}`]
  })
}

/** Finds sentences that are too long, with path and line of their paragraph. */
export function findLongSentences(prose: readonly Prose[]): readonly string[] {
  return prose.flatMap(({ at, text }) =>
    text
      .split(/(?<=[.!?|])\s+/)
      .filter((sentence) => countWords(sentence) > MAX_SENTENCE_WORDS)
      .map((sentence) => `${at}: ${sentence.slice(0, 80)}…`),
  )
}

function countWords(text: string): number {
  return text.split(/\s+/).filter((word) => /[a-z]/i.test(word)).length
}

function lineAt(tree: ts.SourceFile, position: number): number {
  return tree.getLineAndCharacterOfPosition(position).line + 1
}
