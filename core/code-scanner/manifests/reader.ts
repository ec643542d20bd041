import type { TextReader } from '../find/readers.ts'
import type { RawFinding } from '../model/finding.ts'
import { createPlaceFinder } from '../model/places.ts'
import { readCargo, readGoMod, readGradle, readNuget, readPom } from './compiled.ts'
import type { ManifestReader } from './dependencies.ts'
import {
  readComposerJson,
  readDenoJson,
  readGemfile,
  readPackageJson,
  readPyproject,
  readRequirements,
  readSetup,
} from './scripts.ts'

/** Finds vendors' libraries among the packages that manifests name. */
export const manifestReader: TextReader = {
  fits: (path) => findReader(path) !== undefined,
  read({ path, text }, { findDependency }) {
    const read = findReader(path)
    if (!read || !findDependency) return []
    const placeOf = createPlaceFinder(text)
    const found = read(text).flatMap((dependency): readonly RawFinding[] => {
      const use = findDependency(dependency.package)
      if (!use) return []
      // A match may begin with the blanks or the line break before the name.
      const index = skipBlanks(text, dependency.index)
      return [
        {
          file: path,
          ...placeOf(index),
          url: use.url,
          method: undefined,
          via: 'manifest',
          confidence: 0.9,
          package: dependency.package,
        },
      ]
    })
    return found
  },
}

const READERS: readonly (readonly [fits: RegExp, read: ManifestReader])[] = [
  [/(?:^|\/)package\.json$/, readPackageJson],
  [/(?:^|\/)(?:deno|import_?map)\.jsonc?$/, readDenoJson],
  [
    /(?:^|\/)(?:[\w.-]*requirements[\w.-]*|requirements\/[\w.-]+|constraints[\w.-]*)\.(?:txt|in|pip)$/,
    readRequirements,
  ],
  [/(?:^|\/)(?:conda|environment)[\w.-]*\.ya?ml$/, readRequirements],
  [/(?:^|\/)(?:pyproject\.toml|Pipfile)$/, readPyproject],
  [/(?:^|\/)setup\.(?:py|cfg)$/, readSetup],
  [/(?:^|\/)go\.mod$/, readGoMod],
  [/(?:^|\/)(?:[\w.-]*pom[\w.-]*\.xml|[\w.-]+\.pom)$/, readPom],
  [/(?:^|\/)[\w.-]+\.(?:gradle|gradle\.kts|versions\.toml)$|(?:^|\/)build\.sbt$/, readGradle],
  [/(?:^|\/)(?:Gemfile|gems\.rb|[\w.-]+\.gemspec)$/, readGemfile],
  [/(?:^|\/)composer\.json$/, readComposerJson],
  [
    /(?:^|\/)(?:[\w.-]+\.(?:cs|fs|vb)proj|packages\.config|Directory\.(?:Packages|Build)\.(?:props|targets))$/,
    readNuget,
  ],
  [/(?:^|\/)Cargo\.toml$/, readCargo],
]

function findReader(path: string): ManifestReader | undefined {
  return READERS.find(([fits]) => fits.test(path))?.[1]
}

function skipBlanks(text: string, index: number): number {
  let at = index
  while (/\s/.test(text[at] ?? '')) at += 1
  return at
}
