/** How a type of packages is written in manifests. */
export interface PackagePattern {
  /** Type of the package URLs. */
  readonly type: string
  /** Matches a package: `name`, and perhaps the `group` before it and the `version`. */
  readonly name: RegExp
  /** Starts and ends of the sections with packages; absent if they are anywhere. */
  readonly sections?: readonly [from: RegExp, to: RegExp]
  /** Names of packages by the names in the text; others are ignored. */
  readonly names?: Readonly<Record<string, string>>
  /** Whether only the first of equal matches counts. */
  readonly isOnce?: true
}

/** A requirement of Python between other text: `name[extra] == 1.0`. */
function requirement(before: string, after = ''): RegExp {
  const name = String.raw`(?<name>[A-Za-z0-9][\w.-]*)(?:\[[^\]\n]*\])?`
  return new RegExp(
    String.raw`${before}${name}(?:\s*={2,3}\s*(?<version>[\w.+!-]+))?${after}`,
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

/** The head of a step that logs in to another registry than Docker Hub. */
const OTHER_REGISTRY = String.raw`docker\/login-action@.*\n(?:[ \t]+(?![ \t]|-[ \t]).*\n){0,20}?[ \t]+registry:(?!.*docker\.(?:io|com))`

const BRACES = (names: RegExp) =>
  [new RegExp(String.raw`"${names.source}"\s*:\s*\{`, 'g'), /\}/g] as const

const PYTHON_TABLES = tables(/(?:[^[\]\n]*\.)?(?:dev-)?(?:dependencies|packages)/)
const CARGO_TABLES = /(?:[^[\]\n]*[.-])?dependencies/

/** Patterns of packages by the paths of manifests; see `matchPaths`. The first row that fits counts. */
export const MANIFEST_FORMATS: readonly (readonly [
  paths: string,
  ...patterns: readonly PackagePattern[],
])[] = [
  [
    'package.json',
    {
      type: 'npm',
      sections: BRACES(/(?:d|devD|peerD|optionalD)ependencies/),
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
      name: /^[ \t]*"?(?<name>[A-Za-z0-9][\w.-]*)"?[ \t]*=[ \t]*(?:\{.*?\bversion\s*=\s*)?(?:"={0,2}(?<version>[^"\n]*)")?/gm,
    },
    {
      type: 'pypi',
      sections: tables(/(?:project\.optional-dependencies|dependency-groups|build-system)/),
      name: QUOTED,
    },
    { type: 'pypi', sections: [/^[ \t]*dependencies[ \t]*=[ \t]*\[/gm, /\n\]/g], name: QUOTED },
  ],
  [
    'setup.py',
    {
      type: 'pypi',
      sections: [/\b(?:install_requires|extras_require|tests_require)\s*=\s*[[{(]/g, /\n\)/g],
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
        String.raw`(?<=${element('groupId', 'group')}\s*)${element('artifactId', 'name')}(?:\s*${element('version', 'version')})?`,
        'g',
      ),
    },
  ],
  [
    '*.gradle *.gradle.kts *.versions.toml build.sbt',
    {
      type: 'maven',
      name: /["'](?<group>[A-Za-z][\w.-]*\.[\w.-]+):(?<name>[\w.-]+)(?::(?<version>[^"'\s@]*))?(?:@\w+)?["']/g,
    },
    {
      type: 'maven',
      name: new RegExp(
        String.raw`${field('group')}\s*,\s*${field('name')}(?:\s*,\s*${field('version')})?`,
        'g',
      ),
    },
    {
      type: 'maven',
      name: /"(?<group>[\w.-]+)"\s{1,9}%%?\s{1,9}"(?<name>[\w.-]+)"(?:\s{1,9}%\s{1,9}"(?<version>[^"]*)")?/g,
    },
  ],
  [
    'Gemfile gems.rb *.gemspec',
    {
      type: 'gem',
      name: /^[ \t]*(?:gem|\w+\.add(?:_\w+)?_dependency)[ \t(]+['"](?<name>[\w.-]+)['"](?:,[ \t]*['"]=?[ \t]*(?<version>[\d.]+)['"])?/gm,
    },
  ],
  [
    'composer.json',
    {
      type: 'composer',
      sections: BRACES(/require(?:-dev)?/),
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
      name: /^[ \t]*(?<name>[\w-]+)(?:\.[\w.]+)?[ \t]*=(?!.*\bpackage\s*=)[ \t]*(?:"=(?<version>[^"\n]*)")?/gm,
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
  [
    '*.tf *.hcl *.tofu',
    { type: 'terraform', name: /^[ \t]*provider[ \t]+"(?<name>[\w-]+)"/gm },
    {
      type: 'terraform',
      name: /^[ \t]*(?:resource|data|ephemeral)[ \t]+"(?<name>[a-z\d]+)_\w+"/gm,
      isOnce: true,
    },
    // `hashicorp/aws` is a provider; `terraform-aws-modules/vpc/aws`, a module for one.
    {
      type: 'terraform',
      name: /\bsource[ \t]*=[ \t]*"(?=[^"]*\/)(?:[\w.-]+\.\w+\/)?(?:[\w-]+\/[\w-]+\/)?(?<name>[\w-]+(?:\/[\w-]+)?)"/g,
    },
    {
      type: 'terraform',
      name: /\bsource[ \t]*=[ \t]*"(?:git|http)[^"]*\/terraform-(?<name>[a-z]+)-/g,
    },
    // The service that stores the state.
    {
      type: 'terraform',
      name: /^[ \t]*backend[ \t]+"(?<name>\w+)"/gm,
      names: {
        s3: 'aws',
        gcs: 'google',
        remote: 'tfe',
        azurerm: 'azurerm',
        oss: 'alicloud',
        cos: 'tencentcloud',
      },
    },
    { type: 'terraform', name: /^[ \t]*(?<name>cloud)[ \t]*\{/gm, names: { cloud: 'tfe' } },
  ],
  [
    `.{github,forgejo,gitea}/**.{yml,yaml} action.{yml,yaml} .circleci/**.{yml,yaml}
      bitbucket-pipelines.yml *azure-pipelines*.{yml,yaml} .azure*/**.{yml,yaml}`,
    {
      type: 'githubactions',
      name: new RegExp(
        String.raw`^[ \t]*(?:-[ \t]+)?uses:[ \t]*["']?(?!${OTHER_REGISTRY})(?<name>[\w.-]+(?:/[\w.-]+)+)@`,
        'gm',
      ),
    },
    {
      type: 'bitbucketpipes',
      name: /^[ \t]*(?:-[ \t]+)?pipe:[ \t]*["']?(?<name>[\w-]+\/[\w-]+):/gm,
    },
    { type: 'azurepipelines', name: /^[ \t]*(?:-[ \t]+)?task:[ \t]*["']?(?<name>\w+)@/gm },
    { type: 'circleci', name: /^[ \t]*[\w-]+:[ \t]*["']?(?<name>[\w-]+\/[\w-]+)@\d/gm },
  ],
  [
    '*.{yml,yaml}',
    { type: 'ansible', name: /^[ \t]*(?:-[ \t]+)?(?<name>[a-z_]\w*\.[a-z_]\w*\.[a-z_]\w*):/gm },
  ],
]
