import { isObject, type JsonObject } from '../../schemas/values.ts'
import { type DeclaredLimit, uniqueLimits } from './parse-limit-prose.ts'
import { readExtensionLimits } from './read-extension-limits.ts'

/** A limit and the extension that declares it. */
export type ExtensionLimit = DeclaredLimit & { readonly name: string }

/**
 * Names of extensions that declare limits, in lower case without hyphens and underscores, and their
 * sources:
 *
 * | Extension | Source |
 * |---|---|
 * | `x-ratelimit`, `x-rate-limit`, `x-rateLimits`, `x-throttling`, `x-quota` | many, in every shape
 * |
 * | `x-<vendor>-rate-limit(s)` | Yandex API Gateway (`rps`, `rpm`), Roblox |
 * | `x-throttling-tier`, `x-wso2-throttling-tier` | WSO2 (`10KPerMin`) |
 * | `x-throttling-info` | Infobip (`numberOfRequests`, `numberOfTimeUnits`, `timeUnit`) |
 * | `x-kong-plugin-rate-limiting`, `…-advanced` | Kong (`minute`, or lists of limits and windows) |
 * | `x-apisix-plugins` | Apache APISIX (`limit-count`, `limit-req`) |
 * | `x-kuadrant` | Kuadrant (`rate_limit.rates`) |
 * | `x-tyk-api-gateway` | Tyk (`rate`, `per`) |
 *
 * AWS, Azure and Zuplo store limits outside descriptions.
 */
const LIMIT_EXTENSION =
  /^x(?:(?:[a-z0-9]{1,40})?ratelimit(?:s|ing|ingadvanced)?|throttl(?:e|ing|ings|inginfo|inglimits?)|quotas?|apisixplugins|kuadrant|tykapigateway)$/
/** Names of tiers: only those with a number and a duration are read. */
const TIER_EXTENSION = /^x(?:wso2)?throttlingtier$/
/** Flat members of one limit, such as `x-ratelimit-limit` with `x-ratelimit-window`. */
const FLAT_MEMBER = /^x-?rate-?limit[-_](.{1,40})$/i

const MAX_KEYS = 200

/**
 * Reads the limits that the extensions of an object declare: at most eight, in order. `resolve`
 * follows a local reference, as some of them are references.
 */
export function readLimitExtensions(
  owner: JsonObject,
  resolve: (value: unknown) => JsonObject | undefined,
): readonly ExtensionLimit[] {
  const found: ExtensionLimit[] = []
  const flat: [string, unknown][] = []
  for (const key of Object.keys(owner)) {
    if (!/^x-/i.test(key) || key.length > 80) continue
    const plain = key.toLowerCase().replace(/[-_]/g, '')
    const isTier = TIER_EXTENSION.test(plain)
    if (isTier || LIMIT_EXTENSION.test(plain)) {
      const value = isObject(owner[key]) ? (resolve(owner[key]) ?? {}) : owner[key]
      for (const limit of readExtensionLimits(value, isTier)) found.push({ ...limit, name: key })
    } else if (flat.length < MAX_KEYS) {
      const member = FLAT_MEMBER.exec(key)?.[1]
      if (member !== undefined) flat.push([member, owner[key]])
    }
  }
  if (flat.length > 0) {
    for (const limit of readExtensionLimits(Object.fromEntries(flat), false)) {
      found.push({ ...limit, name: 'x-ratelimit' })
    }
  }
  return uniqueLimits(found)
}
