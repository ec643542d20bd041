import type { RawFinding } from '../model/finding.ts'
import { matchPaths } from '../model/path-patterns.ts'
import { createPlaceFinder } from '../model/places.ts'
import type { TextReader } from '../model/text-reader.ts'
import { readCargo, readGoMod, readGradle, readNuget, readPom } from './compiled.ts'
import type { Dependency, ManifestReader } from './dependencies.ts'
import { readAnsible, readPipeline, readTerraformProviders } from './infrastructure.ts'
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
          package: toReported(dependency, use.package),
        },
      ]
    })
    return found
  },
}

const READERS: readonly (readonly [fits: RegExp, read: ManifestReader])[] = [
  [matchPaths('package.json'), readPackageJson],
  [matchPaths('{deno,import_map,importmap}.{json,jsonc}'), readDenoJson],
  [
    matchPaths('*requirements*.{txt,in,pip} requirements/*.{txt,in,pip} constraints*.{txt,in,pip}'),
    readRequirements,
  ],
  [matchPaths('{conda,environment}*.{yml,yaml}'), readRequirements],
  [matchPaths('pyproject.toml Pipfile'), readPyproject],
  [matchPaths('setup.{py,cfg}'), readSetup],
  [matchPaths('go.mod'), readGoMod],
  [matchPaths('*pom*.xml *.pom'), readPom],
  [matchPaths('*.gradle *.gradle.kts *.versions.toml build.sbt'), readGradle],
  [matchPaths('Gemfile gems.rb *.gemspec'), readGemfile],
  [matchPaths('composer.json'), readComposerJson],
  [
    matchPaths('*.{cs,fs,vb}proj packages.config Directory.{Packages,Build}.{props,targets}'),
    readNuget,
  ],
  [matchPaths('Cargo.toml'), readCargo],
  [matchPaths('*.tf *.hcl *.tofu'), readTerraformProviders],
  [
    matchPaths(`.{github,forgejo,gitea}/**.{yml,yaml} action.{yml,yaml} .circleci/**.{yml,yaml}
      bitbucket-pipelines.yml *azure-pipelines*.{yml,yaml} .azure*/**.{yml,yaml}`),
    readPipeline,
  ],
  [matchPaths('*.{yml,yaml}'), readAnsible],
]

/** The package as the manifest names it, or the known one where it names a provider's type alone. */
function toReported(dependency: Dependency, known: string): string {
  return /^pkg:terraform\/[^/]+$/.test(dependency.package) ? known : dependency.package
}

function findReader(path: string): ManifestReader | undefined {
  return READERS.find(([fits]) => fits.test(path))?.[1]
}

function skipBlanks(text: string, index: number): number {
  let at = index
  while (/\s/.test(text[at] ?? '')) at += 1
  return at
}
