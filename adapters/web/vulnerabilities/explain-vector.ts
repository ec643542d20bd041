import type { CvssVersion } from '../../../core/vulnerabilities/index.ts'

/** A metric of a CVSS vector, explained. */
export interface ExplainedMetric {
  /** As in the vector: `AV:N`. */
  readonly text: string
  /** `Attack vector`; the same as `text` if unknown. */
  readonly name: string
  /** `over the network`; empty if unknown. */
  readonly meaning: string
}

/** Explains the metrics of a vector in order. Undefined ones (`X`, `ND`) are omitted. */
export function explainVector(version: CvssVersion, vector: string): readonly ExplainedMetric[] {
  return vector
    .replace(/^CVSS:\d\.\d\//, '')
    .split('/')
    .filter((text) => text !== '' && !/:(X|ND)$/.test(text))
    .map((text) => explainMetric(version, text))
}

function explainMetric(version: CvssVersion, text: string): ExplainedMetric {
  const [key = '', value = ''] = text.split(':')
  const name = METRIC_NAMES.get(key) ?? METRIC_NAMES.get(key.replace(/^M/, ''))
  if (name === undefined) return { text, name: text, meaning: '' }
  const isModified = !METRIC_NAMES.has(key)
  const bare = isModified ? key.slice(1) : key
  const own = version === '2.0' ? CVSS2_MEANINGS.get(`${bare}:${value}`) : undefined
  const meaning = own ?? METRIC_MEANINGS.get(`${bare}:${value}`) ?? value
  return { text, name: isModified ? `${name}, as modified` : name, meaning }
}

const METRIC_NAMES = new Map([
  ['AV', 'Attack vector'],
  ['AC', 'Attack complexity'],
  ['AT', 'Attack requirements'],
  ['Au', 'Authentication'],
  ['PR', 'Privileges required'],
  ['UI', 'User interaction'],
  ['S', 'Scope'],
  ['C', 'Confidentiality'],
  ['I', 'Integrity'],
  ['A', 'Availability'],
  ['VC', 'Confidentiality of the system'],
  ['VI', 'Integrity of the system'],
  ['VA', 'Availability of the system'],
  ['SC', 'Confidentiality of other systems'],
  ['SI', 'Integrity of other systems'],
  ['SA', 'Availability of other systems'],
  ['E', 'Exploits'],
  ['RL', 'Remediation'],
  ['RC', 'Confidence in the report'],
  ['CR', 'Confidentiality required'],
  ['IR', 'Integrity required'],
  ['AR', 'Availability required'],
  ['AU', 'Automatable'],
  ['R', 'Recovery'],
  ['V', 'Value density'],
  ['RE', 'Response effort'],
  ['U', 'Provider urgency'],
  ['CDP', 'Collateral damage'],
  ['TD', 'Target distribution'],
])

const LEVELS = [
  ['N', 'none'],
  ['L', 'low'],
  ['H', 'high'],
] as const

/** Creates the value descriptions of metrics with the levels none, low and high. */
const toLevelMeanings = (keys: string) =>
  keys
    .split(' ')
    .flatMap((key) => LEVELS.map(([value, text]) => [`${key}:${value}`, text] as const))

const METRIC_MEANINGS = new Map<string, string>([
  ['AV:N', 'over the network'],
  ['AV:A', 'from an adjacent network'],
  ['AV:L', 'on the machine itself'],
  ['AV:P', 'by touching the machine'],
  ['AC:L', 'low'],
  ['AC:H', 'high: depends on conditions beyond the attacker'],
  ['AT:N', 'none'],
  ['AT:P', 'certain conditions must be met'],
  ['PR:N', 'none'],
  ['PR:L', 'those of a user'],
  ['PR:H', 'those of an administrator'],
  ['UI:N', 'none'],
  ['UI:R', 'a user must take part'],
  ['UI:P', 'a user must take part unknowingly'],
  ['UI:A', 'a user must take part knowingly'],
  ['S:U', 'stays within the vulnerable component'],
  ['S:C', 'reaches other components'],
  ['S:N', 'negligible for safety'],
  ['S:P', 'present for safety'],
  ...toLevelMeanings('C I A VC VI VA SC SI SA CR IR AR'),
  ['SI:S', 'people may be injured'],
  ['SA:S', 'people may be injured'],
  ['CR:M', 'medium'],
  ['IR:M', 'medium'],
  ['AR:M', 'medium'],
  ['E:U', 'none known'],
  ['E:P', 'a proof of concept'],
  ['E:F', 'functional'],
  ['E:H', 'automated or not needed'],
  ['E:A', 'attacks are known'],
  ['RL:O', 'an official fix'],
  ['RL:T', 'a temporary fix'],
  ['RL:W', 'a workaround'],
  ['RL:U', 'none'],
  ['RC:C', 'confirmed'],
  ['RC:R', 'reasonable'],
  ['RC:U', 'unknown'],
  ['AU:N', 'no'],
  ['AU:Y', 'yes'],
  ['R:A', 'by itself'],
  ['R:U', 'by users'],
  ['R:I', 'impossible'],
  ['V:D', 'diffuse'],
  ['V:C', 'concentrated'],
  ['RE:L', 'low'],
  ['RE:M', 'moderate'],
  ['RE:H', 'high'],
  ['U:Clear', 'none'],
  ['U:Green', 'reduced'],
  ['U:Amber', 'moderate'],
  ['U:Red', 'highest'],
])

/** Values that have another meaning in CVSS 2. */
const CVSS2_MEANINGS = new Map([
  ['AC:M', 'medium'],
  ['Au:N', 'none'],
  ['Au:S', 'once'],
  ['Au:M', 'several times'],
  ['C:P', 'partial'],
  ['I:P', 'partial'],
  ['A:P', 'partial'],
  ['C:C', 'complete'],
  ['I:C', 'complete'],
  ['A:C', 'complete'],
  ['E:POC', 'a proof of concept'],
  ['RL:OF', 'an official fix'],
  ['RL:TF', 'a temporary fix'],
  ['RC:UC', 'unconfirmed'],
  ['RC:UR', 'uncorroborated'],
])
