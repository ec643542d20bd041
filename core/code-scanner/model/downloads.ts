import { anyOf } from './name-patterns.ts'

/** Whether a URL leads to a file that is installed rather than to an API. */
export function isDownload(text: string): boolean {
  // A host may end as a file does: `https://paste.sh`.
  const path = text.startsWith('{}') ? text : text.replace(/^(?:https?:\/\/)?[^/]*/i, '')
  return FILE.test(path) || FILE_PATH.test(text) || PACKAGE_HOST.test(text)
}

/** Whether a build that requests the URL fetches a file, by its host. */
export function isFileHost(text: string): boolean {
  return FILE_HOST.test(text)
}

/** Whether a build calls the URL as an API, although its host is one of files or packages. */
export function isApiOfFileHost(text: string): boolean {
  return API.test(text)
}

const API = /\/(?:api|oauth|upload)\/|\/(?:publish|deploy)\b|\bstaging\b/i

/** Whether a URL in a build leads to an index of packages, such as a mirror of Maven or PyPI. */
export function isPackageIndex(text: string): boolean {
  return INDEX_HOST.test(text) || INDEX_PATH.test(text)
}

/** Archives of distributions are hosts below a domain: `archive.ubuntu.com`. */
const INDEX_HOST = new RegExp(
  `^(?:https?://)?(?:[\\w.-]+\\.)?${anyOf`maven repo1? mirrors? pypi registry npm nexus artifactory gems
    rubygems charts? archive\d?\.[\w-]+ jitpack goproxy`}\\d?\\.`,
  'i',
)

const INDEX_PATH = /\/(?:simple|maven2?|repository|artifactory|npm|(?:helm-?)?charts?)(?:\/|$)/i

const FILE = new RegExp(
  String.raw`\.${anyOf`tar tgz gz bz2 xz zst zip deb rpm apk dmg pkg exe msi jar whl gem sh bash py ps1
    asc gpg key pem sig sha\d+ md5 repo list iso img bin appimage so wasm phar rb pl patch diff mmdb
    sum`}(?:\.\w{2,6})?(?:[?#].*)?$`,
  'i',
)

const FILE_HOST = new RegExp(
  `^(?:https?://)?${anyOf`get\. install\. sh\. dl\. downloads?\. raw\.githubusercontent\.com deb\. rpm\.
    packages?\. apt\. releases\. storage\.googleapis\.com/ github\.com/ bootstrap\.
    aka\.ms/`}`,
  'i',
)

/** Hosts of packages, also where they are no arguments of a command. */
const PACKAGE_HOST = /^(?:https?:\/\/)?(?:dl|downloads?|deb|rpm|apt)\./i

const FILE_PATH =
  /\/(?:releases\/download|install|installer|get-?pip|setup_[\w.]+|archive\/refs)(?:\/|$)/i
