import * as v from 'valibot'

/** A relative URI as defined by RFC 3986. */
const relativeUri = v.pipe(
  v.string(),
  v.regex(/^(?!\/)(?:[A-Za-z0-9._~!'()*-]|%[0-9A-F]{2}|\/)+$/, 'is no relative URI'),
)
const filled = v.pipe(v.string(), v.minLength(1))
/** A plain text message: braces are doubled, brackets escaped (3.11.5, 3.11.6). */
const message = v.object({
  text: v.pipe(
    filled,
    v.check((text) => !/[{}]/.test(text.replaceAll('{{', '').replaceAll('}}', '')), 'has a brace'),
    v.check((text) => !/(?<!\\)(?:\\\\)*[[\]]/.test(text), 'has a bracket'),
  ),
})
const fromOne = v.pipe(v.number(), v.integer(), v.minValue(1))
const level = v.picklist(['none', 'note', 'warning', 'error'])

const locationEntries = {
  physicalLocation: v.strictObject({
    artifactLocation: v.strictObject({ uri: relativeUri, uriBaseId: filled }),
    region: v.optional(v.strictObject({ startLine: fromOne, startColumn: v.optional(fromOne) })),
  }),
}

/** Logical locations without a file (3.28.4). */
const logicalLocation = v.strictObject({
  logicalLocations: v.pipe(
    v.array(v.strictObject({ fullyQualifiedName: filled, kind: filled })),
    v.minLength(1),
  ),
})

const rule = v.strictObject({
  id: filled,
  name: v.pipe(v.string(), v.regex(/^[A-Z][A-Za-z]+$/)),
  shortDescription: message,
  fullDescription: message,
  help: message,
  defaultConfiguration: v.strictObject({ level }),
  properties: v.strictObject({ tags: v.array(filled) }),
})

const result = v.strictObject({
  ruleId: filled,
  ruleIndex: v.pipe(v.number(), v.integer(), v.minValue(0)),
  level,
  message,
  locations: v.pipe(
    v.array(v.union([v.strictObject(locationEntries), logicalLocation])),
    v.length(1),
  ),
  relatedLocations: v.optional(
    v.pipe(
      v.array(
        v.strictObject({
          id: v.pipe(v.number(), v.integer()),
          ...locationEntries,
          message: v.optional(message),
        }),
      ),
      v.minLength(1),
    ),
  ),
  partialFingerprints: v.record(v.pipe(v.string(), v.regex(/^[^/]+\/v\d+$/)), filled),
  baselineState: v.optional(v.picklist(['new', 'unchanged', 'updated', 'absent'])),
  suppressions: v.optional(
    v.array(
      v.strictObject({
        kind: v.picklist(['inSource', 'external']),
        status: v.picklist(['accepted', 'underReview', 'rejected']),
        justification: filled,
      }),
    ),
  ),
  properties: v.record(v.string(), v.unknown()),
})

const schema = v.strictObject({
  $schema: v.pipe(v.string(), v.url()),
  version: v.literal('2.1.0'),
  runs: v.pipe(
    v.array(
      v.strictObject({
        tool: v.strictObject({
          driver: v.strictObject({
            name: filled,
            version: filled,
            semanticVersion: v.pipe(v.string(), v.regex(/^\d+\.\d+\.\d+/)),
            rules: v.array(rule),
          }),
        }),
        automationDetails: v.strictObject({ id: filled }),
        columnKind: v.picklist(['utf16CodeUnits', 'unicodeCodePoints']),
        originalUriBaseIds: v.record(filled, v.strictObject({ description: message })),
        results: v.array(result),
      }),
    ),
    v.length(1),
  ),
})

/**
 * Lists violations of SARIF 2.1.0: shapes and bounds, references from results to rules and base
 * IDs, unique IDs, relative URIs, and suppressions on all results or none.
 */
export function findSarifFaults(log: unknown): readonly string[] {
  const { success, output, issues } = v.safeParse(schema, JSON.parse(JSON.stringify(log)))
  if (!success) return issues.map((issue) => `${v.getDotPath(issue)} ${issue.message}`)
  const faults: string[] = []
  for (const { tool, results, originalUriBaseIds } of output.runs) {
    const ids = tool.driver.rules.map(({ id }) => id)
    if (new Set(ids).size < ids.length) faults.push('two rules have one id')
    const judged = results.filter(({ suppressions }) => suppressions !== undefined)
    if (![0, results.length].includes(judged.length)) faults.push('some results have suppressions')
    const prints = new Set<string>()
    for (const { ruleId, ruleIndex, locations, relatedLocations = [], ...one } of results) {
      if (ids[ruleIndex] !== ruleId) faults.push(`${ruleId} is not rule ${ruleIndex}`)
      for (const location of [...locations, ...relatedLocations]) {
        if (!('physicalLocation' in location)) continue
        const { uriBaseId } = location.physicalLocation.artifactLocation
        if (!Object.hasOwn(originalUriBaseIds, uriBaseId)) faults.push(`${uriBaseId} is unknown`)
      }
      const numbers = relatedLocations.map(({ id }) => id)
      if (new Set(numbers).size < numbers.length) faults.push('two locations have one id')
      const print = JSON.stringify(one.partialFingerprints)
      if (prints.has(print)) faults.push('two results have one fingerprint')
      prints.add(print)
    }
  }
  return faults
}
