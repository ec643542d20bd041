import type { ManifestFormat } from './pattern.ts'
import { SERVICE_FORMATS } from './services.ts'

/** A requirement of Python between other text: `name[extra] == 1.0`. */
function requirement(before: string, after = ''): RegExp {
  const name = String.raw`(?<name>[A-Za-z0-9][\w.-]*)(?:\[[^\]\n]*\])?`
  return new RegExp(
    String.raw`${before}${name}(?:\s*={2,3}\s*(?<version>[\w.+!-]+)|\s*(?<range>(?:>=|~=)\s*[\w.+!-]+))?${after}`,
    'gm',
  )
}

/** A requirement in quotes, which is no key. */
const QUOTED = requirement(`["']`, String.raw`[^"'\n]*["'](?!\s*:)`)

/** An element of XML with text. */
function element(name: string, group: string): string {
  return String.raw`<${name}>\s*(?<${group}>[^<\s]+)\s*</${name}>`
}

/** A named field with a quoted value: `group = "com.acme"`. */
function field(name: string): string {
  return String.raw`\b${name}\s*[:=]\s*["'](?<${name}>[\w.+-]+)["']`
}

/** Tables of TOML until the next table. */
function tables(names: RegExp): readonly [RegExp, RegExp] {
  return [
    new RegExp(String.raw`^[ \t]*\[${names.source}\][ \t]*(?:#.*)?$`, 'gm'),
    /\n[ \t]*\[(?!["'])/g,
  ]
}

const BRACES = (names: RegExp) =>
  [new RegExp(String.raw`"${names.source}"\s*:\s*\{`, 'g'), /\}/g] as const

/** A configuration of Gradle whose dependencies only tests, or the build, need. */
const GRADLE_SCOPE = String.raw`(?:(?<test>(?:t|\w*T)est\w+)|(?<build>classpath))`

/** A dependency of Gradle by its name: `implementation(libs.x.y)`, `classpath Deps.x`. */
const ALIAS = new RegExp(
  String.raw`\b(?:(?=${GRADLE_SCOPE}\b)|)(?:\w*[iI]mplementation|\w*[aA]pi|\w+Only|kapt|ksp|classpath|alias|platform)` +
    String.raw`[ \t(][ \t]*(?!projects\b|\w+\.versions\b)[A-Za-z]\w*\.(?<name>\w+(?:\.\w+)*)`,
  'g',
)

const PYTHON_TABLES = tables(/(?:[^[\]\n]*\.)?(?:dev-)?(?:dependencies|packages)/)
/** Tables of development; other groups of Poetry may be optional features. */
const PYTHON_DEVELOPMENT =
  /(?:[^[\]\n]*\.)?(?:dev-(?:dependencies|packages)|group\.(?:dev|tests?|lint|docs?|ci)\w*\.dependencies)/
const CARGO_TABLES = /(?:[^[\]\n]*[.-])?dependencies/

/** Patterns of packages by the paths of manifests; see `matchPaths`. The first row that fits counts. */
export const MANIFEST_FORMATS: readonly ManifestFormat[] = [
  [
    'package.json',
    {
      type: 'npm',
      sections: BRACES(/(?:d|devD|peerD|optionalD)ependencies/),
      development: BRACES(/devDependencies/),
      // Packages of the project itself have a local version.
      name: /"(?<name>[^"\s]+)"\s*:\s*"(?!(?:workspace|file|link|portal):)(?<version>[^"\n]*)"/g,
    },
  ],
  [
    '{deno,import_map,importmap}.{json,jsonc}',
    { type: 'npm', name: /"npm:\/?(?<name>(?:@[^/"@\s]+\/)?[^/"@\s]+)(?:@(?<version>[^/"\s]*))?/g },
  ],
  [
    `*requirements*.{txt,in,pip} requirements/*.{txt,in,pip} constraints*.{txt,in,pip}
      {conda,environment}*.{yml,yaml}`,
    { type: 'pypi', name: requirement(String.raw`^[ \t]*(?:- )?`) },
  ],
  [
    'pyproject.toml Pipfile',
    {
      type: 'pypi',
      sections: PYTHON_TABLES,
      development: tables(PYTHON_DEVELOPMENT),
      name: /^[ \t]*"?(?<name>[A-Za-z0-9][\w.-]*)"?[ \t]*=[ \t]*(?:\{.*?\bversion\s*=\s*)?(?:"={0,2}(?<version>[^"\n]*)")?/gm,
    },
    {
      type: 'pypi',
      sections: tables(/(?:project\.optional-dependencies|dependency-groups|build-system)/),
      development: tables(/(?:dependency-groups|build-system)/),
      name: QUOTED,
    },
    { type: 'pypi', sections: [/^[ \t]*dependencies[ \t]*=[ \t]*\[/gm, /\n\]/g], name: QUOTED },
  ],
  [
    'setup.py',
    {
      type: 'pypi',
      sections: [/\b(?:install_requires|extras_require|tests_require)\s*=\s*[[{(]/g, /\n\)/g],
      development: [/\btests_require\s*=\s*[[{(]/g, /[\])}]/g],
      name: QUOTED,
    },
  ],
  [
    'setup.cfg',
    {
      type: 'pypi',
      sections: [/^install_requires[ \t]*=[ \t]*$|^\[options\.extras_require\][ \t]*$/gm, /\n\[/g],
      name: requirement(String.raw`^[ \t]+`),
    },
  ],
  [
    'go.mod',
    {
      type: 'golang',
      name: /^[ \t]*(?:require[ \t]+)?(?<name>[\w.-]+\.[\w-]+\/\S+)[ \t]+(?<version>v[\w.+-]+)(?!.*(?:indirect|=>))/gm,
    },
  ],
  [
    '*pom*.xml *.pom',
    {
      type: 'maven',
      sections: [/<dependency>/g, /<\/dependency>/g],
      name: new RegExp(
        String.raw`(?<=${element('groupId', 'group')}\s*)${element('artifactId', 'name')}(?:\s*${element('version', 'version')})?(?:(?=(?<test>[^]{0,2000}?<scope>test</scope>))|)`,
        'g',
      ),
    },
  ],
  [
    '*.gradle *.gradle.kts *.versions.toml build.sbt buildSrc/**.{kt,java,groovy}',
    {
      type: 'maven',
      name: new RegExp(
        String.raw`(?:(?<=\b${GRADLE_SCOPE}[ \t(]{1,4})|)["'](?<group>[A-Za-z][\w.-]*\.[\w.-]+)` +
          String.raw`:(?<name>[\w.-]+)(?::(?<version>[^"'\s@]*))?(?:@\w+)?["']`,
        'g',
      ),
    },
    {
      type: 'maven',
      name: new RegExp(
        String.raw`${field('group')}\s*,\s*${field('name')}(?:\s*,\s*${field('version')})?`,
        'g',
      ),
    },
    {
      type: 'gradle',
      name: /\b(?:id|plugin)(?:[ \t]*[=:(][ \t]*|[ \t]+)["'](?<name>[a-z][\w-]*(?:\.[\w-]+)+)["']/g,
    },
    { type: 'gradle', sections: tables(/plugins/), name: /(?<==[ \t]*)"(?<name>[\w.-]+):/g },
    { type: 'alias', name: ALIAS },
    {
      type: 'maven',
      name: /"(?<group>[\w.-]+)"\s{1,9}%%?\s{1,9}"(?<name>[\w.-]+)"(?:\s{1,9}%\s{1,9}"(?<version>[^"]*)")?(?:(?=[ \t]*%[ \t]*(?<test>"?[Tt]est\b))|)/g,
    },
  ],
  [
    'Gemfile gems.rb *.gemspec',
    {
      type: 'gem',
      development: [/^group\b(?!.*:production).*:(?:development|test)\b.*\bdo\b/gm, /^end\b/gm],
      name: new RegExp(
        String.raw`^[ \t]*(?:gem|\w+\.add(?:_\w+)?_dependency)[ \t(]+['"](?<name>[\w.-]+)['"]` +
          String.raw`(?:,[ \t]*['"](?:=?[ \t]*(?<version>[\d.]+)|(?<range>(?:~>|>=)[ \t]*[\w.]+))['"])?`,
        'gm',
      ),
    },
  ],
  [
    'composer.json',
    {
      type: 'composer',
      sections: BRACES(/require(?:-dev)?/),
      development: BRACES(/require-dev/),
      name: /"(?<name>[\w.-]+\/[\w.-]+)"\s*:\s*"(?<version>[^"\n]*)"/g,
    },
  ],
  [
    '*.{cs,fs,vb}proj packages.config Directory.{Packages,Build}.{props,targets}',
    {
      type: 'nuget',
      name: /<[Pp]ackage(?:Reference|Version)?\b[^>]*?\b(?:Include|id)\s*=\s*"(?<name>[^"]+)"(?:[^>]*?\b[Vv]ersion\s*=\s*"(?<version>[^"]*)")?/g,
    },
  ],
  [
    'Cargo.toml',
    {
      type: 'cargo',
      sections: tables(CARGO_TABLES),
      development: tables(/(?:[^[\]\n]*\.)?(?:dev|build)-dependencies/),
      name: new RegExp(
        String.raw`^[ \t]*(?<name>[\w-]+)(?:\.[\w.]+)?[ \t]*=(?!.*\bpackage\s*=)[ \t]*` +
          String.raw`(?:\{[^}\n]*?\bversion[ \t]*=[ \t]*)?` +
          String.raw`(?:"=(?<version>[^"\n]*)"|"(?<range>[~^]?\d[^"\n]*|>=[^"\n]*)")?`,
        'gm',
      ),
    },
    // `[dependencies.name]`, and names of crates that the project renames.
    { type: 'cargo', name: /^[ \t]*\[[^[\]\n]*dependencies\."?(?<name>[\w-]+)"?\]/gm },
    { type: 'cargo', name: /\bpackage\s*=\s*"(?<name>[\w-]+)"/g },
  ],
  [
    'mix.exs',
    { type: 'hex', name: /\{:(?<name>[a-z]\w*),\s*(?:"==\s*(?<version>[\d.]+)"|["~\w])/g },
  ],
  [
    'pubspec.yaml',
    {
      type: 'pub',
      sections: [/^(?:dev_)?dependencies:[ \t]*$/gm, /\n(?=\w)/g],
      development: [/^dev_dependencies:[ \t]*$/gm, /\n(?=\w)/g],
      name: /^ {2}(?<name>[a-z]\w*):(?:[ \t]*(?<version>\d[\w.+-]*)[ \t]*$)?/gm,
    },
  ],
  [
    'Package.swift',
    { type: 'swift', name: /\.package\([^)]*?url:\s*"https:\/\/(?<name>[\w./-]+?)(?:\.git)?"/g },
  ],
  [
    'Podfile *.podspec',
    {
      type: 'cocoapods',
      name: /^[ \t]*(?:pod|\w+\.dependency)[ \t(]+['"](?<name>[\w+-]+)(?:\/\w+)?['"](?:,[ \t]*['"](?<version>[\d.]+)['"])?/gm,
    },
  ],
  ...SERVICE_FORMATS,
]
