import type * as v from 'valibot'

/**
 * Explains an issue with its location: `vendor of item 1 must be a string`. `subject` names the
 * whole document. Never contains the value, which may be of any size.
 */
export function describeIssue(issue: v.BaseIssue<unknown>, subject: string): string {
  const keys = (issue.path ?? []).map(({ key }) => key)
  const place = formatPlace(keys, subject)
  const isAboutKey = issue.path?.at(-1)?.origin === 'key'
  if (!isAboutKey) return `${place} ${toIssueMessage(issue)}`
  // The schema's own message is about the object, not the key.
  if (issue.expected !== 'never') return `${place} is required`
  const hasOwnMessage = !issue.message.startsWith('Invalid ')
  const rule = hasOwnMessage ? `: ${formatPlace(keys.slice(0, -1), subject)} ${issue.message}` : ''
  return `${place} is unknown${rule}`
}

/** Formats a path: `vendor of item 1`. */
function formatPlace(keys: readonly unknown[], subject: string): string {
  const names = keys.map((key) => (typeof key === 'number' ? `item ${key + 1}` : String(key)))
  return names.reverse().join(' of ') || subject
}

/** Returns the schema's own message if it has one. Never contains the value. */
export function toIssueMessage(issue: v.BaseIssue<unknown>): string {
  const { expected, message, received, type } = issue
  if (!message.startsWith('Invalid ')) return message
  if (received === 'undefined') return 'is required'
  if (expected === 'never') return 'is unknown'
  if (type === 'non_empty') return 'must not be empty'
  if (type === 'max_length') return `must not be longer than ${expected?.replace('<=', '')}`
  if (type === 'picklist')
    return `must be one of ${expected?.replace(/[()"]/g, '').replaceAll(' | ', ', ')}`
  return expected === null ? 'is not valid' : `must be ${withArticle(expected)}`
}

function withArticle(expected: string): string {
  if (!/^[A-Za-z]+$/.test(expected)) return expected
  return `${/^[aeiou]/i.test(expected) ? 'an' : 'a'} ${expected.toLowerCase()}`
}
