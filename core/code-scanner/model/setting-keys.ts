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

/** Whether a class contains settings, by its name. */
export function isOptionsClass(className: string): boolean {
  return SUFFIX.test(className.toLowerCase())
}

/** The setting that fills a member of a class of options: `GeoOptions.baseUrl`, `tiles.baseUrl`. */
export function findOptionKey(className: string, member: string): string | undefined {
  if (!isOptionsClass(className)) return undefined
  const name = member.replace(/^(?:Value|CurrentValue)\./, '')
  return /^\w+(?:\.\w+)*$/.test(name) ? toSettingKey([className, ...name.split('.')]) : undefined
}

/** The field that a getter returns: `baseUrl` of `getBaseUrl`; undefined for other names. */
export function fieldOfGetter(method: string): string | undefined {
  const [, first = '', rest = ''] = /^get([A-Z])(\w*)$/.exec(method) ?? []
  return first === '' ? undefined : first.toLowerCase() + rest
}
