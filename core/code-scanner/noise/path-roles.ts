import type { SourceFile } from '../model/finding.ts'
import { matchPaths } from '../model/path-patterns.ts'

/** Whether a file is a test, by its path; its names and URLs do not apply to other files. */
export function isTestPath(path: string): boolean {
  if (WORKFLOWS.test(path)) return false
  return [TEST_FOLDERS, TEST_FILES, TEST_CLASSES, BROWSER_TESTS].some((each) => each.test(path))
}

/** Whether a file contains texts for people: translations and templates of e-mails. */
export function isTextPath(path: string): boolean {
  return TRANSLATIONS.test(path) || MAIL_TEMPLATES.test(path)
}

/** Whether a file is data of a test, by its path: recorded responses, samples. */
export function isTestData(path: string): boolean {
  return isTestPath(path) && RECORDED_DATA.test(path)
}

/** Whether a file is the wrapper of a build tool, which fetches that tool and nothing else. */
export function isBuildWrapper(path: string): boolean {
  return BUILD_WRAPPERS.test(path)
}

/** Role of a file in a project, by its path. */
export type FileRole = 'production' | 'build' | 'example' | 'test' | 'generated'

/** Roles, most relevant for a project's own calls first. */
export const FILE_ROLES: readonly FileRole[] = [
  'production',
  'build',
  'example',
  'test',
  'generated',
]

/** Returns the role of a file by its path below the scanned folder, with `/`. */
export function findFileRole(path: string): FileRole {
  if (GENERATED.test(path)) return 'generated'
  if (isTestPath(path) || TEST_DATA.test(path)) return 'test'
  if (isExamplePath(path)) return 'example'
  const isBuild = [BUILDS, BUILD_FOLDERS, TOOLS, SITE_SCRIPTS, IMAGE_SCRIPTS].some((each) =>
    each.test(path),
  )
  return isBuild ? 'build' : 'production'
}

/** Finds the files and folders of programs that only developers run, as a file of Go says. */
export function findGenerators({ path, text }: SourceFile): readonly string[] {
  if (!path.endsWith('.go')) return []
  const run = [...text.matchAll(GO_GENERATE)].map(([, name = '']) => name)
  const found = run.map((name) => new URL(name, `file:///${path}`).pathname.slice(1))
  return GO_SCRIPT.test(text) ? [path, ...found] : found
}

/** A program beside its caller; one that is run with a command may do other work, too. */
const GO_GENERATE =
  /^\/\/go:generate go run (?:-\S+ ){0,3}((?:\.\.?\/){1,9}\w[\w./-]*|\w+\.go)(?= -|\s*$|(?<=\.go) )/gm

/** A file that no build contains. */
const GO_SCRIPT = /^\/\/(?:go:build| ?\+build) ignore\s*$/m

const TEST_FOLDERS =
  /(?:^|\/)(?:[\w.]+\.tests?|tests?|testing|__tests__|specs?|androidTest|integrationTest|mocks?|__mocks__|cypress|e2e(?:[-_]?tests?)?)\//i

/** Files of builds, which may run tests. */
const WORKFLOWS = /^\.(?:github|gitea|forgejo|circleci|gitlab)\/.*\.ya?ml$/

const TRANSLATIONS =
  /(?:^|\/)(?:i18n|l10n|locales?|langs?|translations?)\/(?:(?!scripts?\/|src\/|bin\/)[^/]+\/)*[^/]+\.(?:json|ya?ml|[jt]s|php|py|rb|properties)$/i

const MAIL_TEMPLATES =
  /(?:^|\/)(?:e-?)?mail(?:er|ing)?s?\/(?:[^/]+\/)*templates?\/|(?:^|\/)templates?\/(?:[^/]+\/)*(?:e-?)?mails?\/|(?:^|\/)emails\/[^/]+\.[jt]sx$/i

const RECORDED_DATA = /\/(?:fixtures?|resources|testdata|cassettes|__snapshots__|snapshots|data)\//i

const TEST_FILES =
  /(?:^|\/)(?:test_[^/]*\.py|conftest\.py|[^/]*(?:_tests?|_spec|\.test|\.spec)\.\w+|\.env\.test(?:ing)?|Tests?[A-Z]\w*\.(?:java|php))$/

/** Tests beside the code; elsewhere the browser of a service has this name. */
const BROWSER_TESTS =
  /^(?:(?!src\/|app\/|lib\/)[\w.-]+\/){0,2}playwright(?:\/.*\.[cm]?[jt]sx?|[\w.-]*\.config\.\w+)$/

/** Files and folders that are named like a class of tests, in languages other than JavaScript. */
const TEST_CLASSES =
  /(?:^|\/)\w*[a-z\d]Tests?\.(?!(?:[cm]?[jt]sx?|vue|svelte|astro)$)\w+$|(?:^|\/)\w*[A-Za-z\d]Tests\//

const BUILD_WRAPPERS =
  /(?:^|\/)(?:(?:mvnw|gradlew)(?:\.\w+)?|(?:\.mvn|gradle)\/wrapper\/[^/]+|MavenWrapperDownloader\.java)$/

const GENERATED = /(?:^|\/)(?:generated|__generated__|gen|auto-?generated)\/|[._]g(?:en)?\.\w+$/i

const TEST_DATA =
  /(?:^|\/)(?:(?:(?:data)?fixtures?|test-?data|golden|cassettes|stubs|seed-(?:data|snapshot))\/|(?:db|database|prisma)\/(?:factories|seed\w*)[/.])/i

/** Folders above the source folder; packages below it may have the same names: `com/example/`. */
function isExamplePath(path: string): boolean {
  const source = path.search(SOURCE_FOLDERS)
  return EXAMPLES.test(source < 0 ? path : path.slice(0, source + 1))
}

const SOURCE_FOLDERS = /(?:^|\/)(?:src|app|lib|java|kotlin|scala|internal|pkg|cmd)\//

const EXAMPLES =
  /(?:^|(?<!\b(?:com|org|net|io))\/)[._]?(?:examples?|samples?|demos?|tutorials?|playground|docs?|documentation)\//i

/** CI files, build scripts, and files that make images, releases and development machines. */
const BUILDS = matchPaths(`
  .{github,gitea,forgejo,circleci,buildkite,woodpecker,gitlab,azure-pipelines,devcontainer,husky,ci,agents,bin}/**
  {crowdin,.crowdin}.{yml,yaml}
  .{goreleaser,pre-commit-config}.{yml,yaml} tox.ini requirements{-,_}{dev,test,tests,lint,docs}.txt
  .{gitlab-ci,travis,drone,cirrus,appveyor,woodpecker}*.{yml,yaml}
  {appveyor,azure-pipelines,bitbucket-pipelines,cloudbuild,codecov,buildspec}*.{yml,yaml}
  {Jenkins,Docker,Container}file{,.*} *.{Docker,Container}file
  {GNU,}Makefile{,.*} *.mk {justfile,Rakefile,Vagrantfile,Earthfile,Taskfile.yml,noxfile.py}
  {gulpfile,Gruntfile}{,.*}.{js,cjs,mjs,ts}
  {webpack,rollup,vite,vue,esbuild,babel,jest,vitest}.*.{js,cjs,mjs,ts}
  {build,install,setup,release,bootstrap,publish,deploy,package}{,-*,_*}.{sh,bash,bat,cmd,ps1}
  *{-,_}{dev,build,deploy,publish,release}.{sh,bash,bat,cmd,ps1} fastlane/**
  bin/setup{,-*,_*}
`)

/** Folders of the project and of its parts; packages of code may have the same names. */
const BUILD_FOLDERS =
  /^(?:ci|build|dev|devops|hack|packaging|tooling|(?:(?:packages|apps|services|clients)\/[\w.-]+\/|(?:server|backend|terraform|infra)\/)?scripts?)\//i

/** Tools of the project; those of Python and JavaScript may be tools of a model. */
const TOOLS = /^tools?\/(?:[\w.-]+\/)*[\w-]+(?:\.(?:sh|bash|ps1|pl|rb|go|php|java|kts?|cs))?$/i

/** Scripts of Node.js beside the code of a site, whose other scripts run in browsers. */
const SITE_SCRIPTS = /^(?:web|website|frontend|client|ui)\/scripts?\/.*\.[cm][jt]s$/i

/** Scripts that make images; others may run in a container. */
const IMAGE_SCRIPTS = /^docker\/(?:[\w.-]+\/)*(?:[\w-]*[-_])?(?:bake|build)[\w-]*\.(?:sh|bash)$/i
