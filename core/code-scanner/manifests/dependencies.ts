/** A package that a manifest names. */
export interface Dependency {
  /** Package URL, with a version where the manifest fixes one. */
  readonly package: string
  /** Where its name stands: index in the text. */
  readonly index: number
}

/** Reads the dependencies of a kind of manifest. */
export type ManifestReader = (text: string) => readonly Dependency[]

/** A dependency by its parts; a version that is a range is left out. */
export function toDependency(given: {
  readonly ecosystem: string
  readonly name: string
  readonly version?: string | undefined
  readonly index: number
}): Dependency {
  const { ecosystem, name, version = '', index } = given
  const isFixed =
    version.length <= MAX_VERSION && /^v?\d+(?:\.\d+)+(?:[-+.][\w.+-]+)?$/.test(version)
  const fixed = isFixed ? `@${version}` : ''
  return { package: `pkg:${ecosystem}/${name}${fixed}`, index }
}

const MAX_VERSION = 100

/** A part of a text with the index where it begins. */
export interface Section {
  readonly text: string
  readonly start: number
}

/** What stands between each match and the next bracket that closes it; brackets are not nested. */
export function sectionsOf(
  text: string,
  { open, close }: { readonly open: RegExp; readonly close: string },
): readonly Section[] {
  const sections: Section[] = []
  let last = 0
  for (const match of text.matchAll(open)) {
    const start = match.index + match[0].length
    if (start < last) continue
    const found = text.indexOf(close, start)
    last = found < 0 ? text.length : found
    sections.push({ text: text.slice(start, last), start })
  }
  return sections
}

/** A section under a name, with the index of its head. */
export interface Table extends Section {
  readonly name: string
  readonly head: number
}

/** The tables of a TOML text (or the sections of an INI one), by name. */
export function tablesOf(text: string): readonly Table[] {
  const heads = [...text.matchAll(/^[ \t]*\[{1,2}([^[\]\n]+)\]{1,2}[ \t]*(?:#.*)?$/gm)]
  return heads.map((head, at) => {
    const start = head.index + head[0].length
    const end = heads[at + 1]?.index ?? text.length
    return { name: (head[1] ?? '').trim(), head: head.index, text: text.slice(start, end), start }
  })
}
