/** Whether a file is a test, by its path: its names and addresses are its own. */
export function isTestPath(path: string): boolean {
  return TEST_FOLDERS.test(path) || TEST_FILES.test(path)
}

/** Whether a file is the wrapper of a build tool, which fetches that tool and nothing else. */
export function isBuildWrapper(path: string): boolean {
  return BUILD_WRAPPERS.test(path)
}

const TEST_FOLDERS =
  /(?:^|\/)(?:[\w.]+\.tests?|tests?|testing|__tests__|specs?|androidTest|integrationTest|mocks?|__mocks__|e2e)\//i

const TEST_FILES =
  /(?:^|\/)(?:test_[^/]*\.py|conftest\.py|[^/]*(?:_test|_spec|\.test|\.spec)\.\w+|\w*[a-z\d]Tests?\.(?:java|kt|cs|php)|Tests?[A-Z]\w*\.(?:java|php))$/

const BUILD_WRAPPERS =
  /(?:^|\/)(?:(?:mvnw|gradlew)(?:\.\w+)?|(?:\.mvn|gradle)\/wrapper\/[^/]+|MavenWrapperDownloader\.java)$/
