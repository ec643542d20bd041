import { type Dependency, tablesOf, toDependency } from './dependencies.ts'

/** `go.mod`; what only others need (`// indirect`) is left out. */
export function readGoMod(text: string): readonly Dependency[] {
  const lines = /^[ \t]*(?:require[ \t]+)?([\w.-]+\.[\w-]+\/[^\s]+)[ \t]+(v[\w.+-]+)(.*)$/gm
  return [...text.matchAll(lines)]
    .filter(([, , , rest]) => !rest?.includes('indirect') && !rest?.includes('=>'))
    .map((match) =>
      toDependency({
        ecosystem: 'golang',
        name: match[1] ?? '',
        version: match[2],
        index: match.index,
      }),
    )
}

/** `pom.xml`. */
export function readPom(text: string): readonly Dependency[] {
  return [...text.matchAll(/<dependency>([\s\S]*?)<\/dependency>/g)].map((match) => {
    const body = match[1] ?? ''
    const field = (name: string) =>
      new RegExp(`<${name}>\\s*([^<\\s]+)\\s*</${name}>`).exec(body)?.[1] ?? ''
    const index = match.index + match[0].indexOf('<artifactId>')
    const name = `${field('groupId')}/${field('artifactId')}`
    return toDependency({ ecosystem: 'maven', name, version: field('version'), index })
  })
}

/** `build.gradle`, `build.gradle.kts` and version catalogues. */
export function readGradle(text: string): readonly Dependency[] {
  const short = /["']([A-Za-z][\w.-]*\.[\w.-]+):([\w.-]+)(?::([^"'\s@]*))?(?:@\w+)?["']/g
  const long =
    /\bgroup\s*[:=]\s*["']([\w.-]+)["']\s*,\s*name\s*[:=]\s*["']([\w.-]+)["'](?:\s*,\s*version\s*[:=]\s*["']([\w.+-]+)["'])?/g
  const found = [...text.matchAll(short), ...text.matchAll(long)]
  const isComment = (index: number) =>
    /^\s*(?:\/\/|#|\*)/.test(text.slice(text.lastIndexOf('\n', index) + 1, index))
  return found
    .filter(({ index }) => !isComment(index))
    .map((match) =>
      toDependency({
        ecosystem: 'maven',
        name: `${match[1]}/${match[2]}`,
        version: match[3],
        index: match.index,
      }),
    )
}

/** `*.csproj`, `Directory.Packages.props` and `packages.config`. */
export function readNuget(text: string): readonly Dependency[] {
  const tags =
    /<(?:PackageReference|PackageVersion|package)\b[^>]*?\b(?:Include|id)\s*=\s*"([^"]+)"([^>]*)>/g
  return [...text.matchAll(tags)].map((match) =>
    toDependency({
      ecosystem: 'nuget',
      name: match[1] ?? '',
      version: /\b[Vv]ersion\s*=\s*"([^"]*)"/.exec(match[2] ?? '')?.[1],
      index: match.index,
    }),
  )
}

/** `Cargo.toml`. */
export function readCargo(text: string): readonly Dependency[] {
  return tablesOf(text).flatMap((table) => {
    const single = /dependencies\.(?:"([^"]+)"|([\w-]+))$/.exec(table.name)
    if (single) {
      const index = table.head
      const name = nameIn(table.text) ?? single[1] ?? single[2] ?? ''
      return [toDependency({ ecosystem: 'cargo', name, index })]
    }
    if (!/(?:^|[.-])dependencies$/.test(table.name)) return []
    return [...table.text.matchAll(/^[ \t]*([\w-]+)(?:\.[\w.]+)?[ \t]*=[ \t]*(.*)$/gm)].map(
      (match) =>
        toDependency({
          ecosystem: 'cargo',
          name: nameIn(match[2] ?? '') ?? match[1] ?? '',
          version: /^"=([^"]*)"/.exec(match[2] ?? '')?.[1],
          index: table.start + match.index,
        }),
    )
  })
}

/** The name of a crate that is known under another one. */
function nameIn(text: string): string | undefined {
  return /\bpackage\s*=\s*"([\w-]+)"/.exec(text)?.[1]
}
