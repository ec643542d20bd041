/** Folds a name for comparison: NFKC, lower case, accents dropped, white space collapsed and trimmed. */
export function foldName(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{Mn}+/gu, '')
    .toLowerCase()
    .normalize('NFKC')
    .replace(/\s+/g, ' ')
    .trim()
}
