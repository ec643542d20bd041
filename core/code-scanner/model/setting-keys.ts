/**
 * Returns the name by which programs find a setting of a configuration file. It is the same for
 * `Geo:BaseUrl`, `geo.base-url` and the member `baseUrl` of a class `GeoOptions`.
 */
export function toSettingKey(parts: readonly string[]): string {
  const last = parts.length - 1
  return parts
    .map((part, at) => {
      const plain = part.toLowerCase().replaceAll(/[-_]/g, '')
      return at < last ? plain.replace(SUFFIX, '') : plain
    })
    .join(':')
}

/** Returns the name of a setting that a program reads from its environment or configuration. */
export function toSettingName(parts: readonly string[]): string {
  return `ENV.${toSettingKey(parts)}`
}

/** Endings of sections and of the classes that they fill. */
const SUFFIX = /(?<=\w)(?:options|settings?|config(?:uration)?|properties)$/

/** The setting that fills a member of a class of options: `GeoOptions.baseUrl`, `getBaseUrl`. */
export function findOptionKey(className: string, member: string): string | undefined {
  if (!SUFFIX.test(className.toLowerCase())) return undefined
  const name = member.replace(/^(?:Value|CurrentValue)\./, '').replace(/^get(?=[A-Z])/, '')
  return /^\w+$/.test(name) ? toSettingKey([className, name]) : undefined
}
