/** Whether a word has the form of an option: `--output`. */
export function hasOptionForm(word: string): boolean {
  return /^--[a-z]/i.test(word)
}

/** Explains that an option has no value because another option follows it. */
export function describeMissingValue(flag: string, { next }: { readonly next: string }): string {
  return `Missing value of ${flag}: it is followed by ${next}. If ${next} is the value, use ${flag}=${next}`
}
