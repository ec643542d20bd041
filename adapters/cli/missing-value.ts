/** Whether a word looks like an option, not like a value: `--output`. */
export function isOption(word: string): boolean {
  return /^--[a-z]/i.test(word)
}

/** Explains that an option has no value, as another option follows it. */
export function toMissingValue(flag: string, { next }: { readonly next: string }): string {
  return `Cannot read ${flag}: it needs a value, but ${next} follows (if that is the value: ${flag}=${next})`
}
