import { readAssignments } from '../formats/assignments.ts'
import { matchPaths } from '../model/path-patterns.ts'
import { createPlaceFinder } from '../model/places.ts'
import { toSettingKey } from '../model/setting-keys.ts'
import type { TextReader } from '../model/text-reader.ts'
import { isNoiseHost } from '../noise/noise.ts'

const GRADLE = matchPaths('*.gradle *.gradle.kts')

/** Properties of a build, which it passes to `BuildConfig` under the same names. */
const PROPERTIES = matchPaths('{gradle,local,secrets,secrets.defaults}.properties')

/** Finds the addresses that Gradle builds into an Android app as constants of `BuildConfig`. */
export const gradleReader: TextReader = {
  fits: (path) => GRADLE.test(path) || PROPERTIES.test(path),
  read({ path, text }) {
    const placeOf = createPlaceFinder(text)
    return fieldsOf(text).map(({ url, index }) => ({
      ...{ file: path, ...placeOf(index), url, method: undefined },
      ...{ via: 'config' as const, confidence: 0.8, package: undefined },
    }))
  },
  names: ({ path, text }) =>
    Object.fromEntries(
      // The first build type wins.
      (PROPERTIES.test(path) ? propertiesOf(text) : fieldsOf(text))
        .toReversed()
        .map(({ name, url }) => [toSettingKey(['BuildConfig', name]), url]),
    ),
}

function propertiesOf(text: string) {
  return readAssignments(text).flatMap(({ keys: [name], value: url }) =>
    name === undefined || !/^https?:/.test(url) || isNoiseHost(url) ? [] : [{ name, url }],
  )
}

function fieldsOf(text: string) {
  if (!text.includes('buildConfigField')) return []
  return [...text.matchAll(FIELD)].flatMap(({ 0: whole, 1: name = '', 2: url = '', index }) =>
    isNoiseHost(url) ? [] : [{ name, url, index: index + whole.length - url.length }],
  )
}

/** `buildConfigField("String", "API_URL", "\"https://…\"")`. */
const FIELD =
  /buildConfigField\s*\(?\s*['"]String['"],\s*['"](\w{1,80})['"],\s*['"\\]+(https?:\/\/[^\s'"\\]{1,300})/g
