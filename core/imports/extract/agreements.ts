import type { ImportedAgreement } from '../../catalogue/records.ts'
import { asHttpUrl, asObject, asText, isObject } from '../../schemas/values.ts'
import { findAgreementKind } from '../../shared/agreement-kinds.ts'
import { toSpdxId } from '../../shared/spdx.ts'
import { toLicenses } from './api.ts'
import type { ExtractionContext } from './context.ts'
import { findLabelledLinks } from './find-labelled-links.ts'
import { resolveUrl } from './servers.ts'

/**
 * Extracts licence, terms, documentation and other agreements that a description links to. Reads
 * the format's own fields, extensions of `info` and of the document, and labelled links in
 * `info.description`. Resolves paths against `baseUrl`. Warns about invalid links and about
 * agreements after the first 100.
 */
export function extractAgreements(
  context: ExtractionContext,
  baseUrl: string | undefined,
): readonly ImportedAgreement[] {
  const info = asObject(context.document.info)
  const links = new Map<string, ImportedAgreement>()
  const add = (agreement: ImportedAgreement) => {
    const { link, kind } = agreement
    const key = `${kind} ${link}`
    if (link !== '' && !links.has(key)) links.set(key, agreement)
  }
  const resolveLink = (value: unknown, pointer: string): string => {
    const text = asText(value).trim()
    const link = asHttpUrl(/^\.{0,2}\//.test(text) ? resolveUrl(text, baseUrl) : text)
    if (link === '' && text !== '') context.warn(pointer, 'Not an absolute URL; ignored')
    return link
  }
  for (const { name, url } of toLicenses(info.license))
    add(toLicenseAgreement(info.license, { name, url }))
  const terms = resolveLink(info.termsOfService, '/info/termsOfService')
  add({ name: 'Terms of service', link: terms, kind: 'TermsOfService' })
  const docs = resolveLink(asObject(context.document.externalDocs).url, '/externalDocs/url')
  add({ name: 'Documentation', link: docs, kind: 'Documentation' })
  for (const owner of [info, context.document]) {
    for (const [key, value] of Object.entries(owner)) {
      const found = /^x-/i.test(key) ? findAgreementKind(key) : undefined
      if (!found) continue
      const link = asHttpUrl(value) || asHttpUrl(asObject(value).url)
      if (found.kind === 'InterfaceLicense')
        add(toLicenseAgreement(value, { name: found.name, url: link }))
      else add({ name: found.name, link, kind: found.kind })
    }
  }
  for (const link of findLabelledLinks(asText(info.description))) add(link)
  const left = links.size - MAX_AGREEMENTS
  if (left > 0) {
    context.warn('/info', `${left} agreements after the first ${MAX_AGREEMENTS} were ignored`)
  }
  return [...links.values()].slice(0, MAX_AGREEMENTS)
}

/** The same limit as for agreements created by users. Each is compared with every previous one. */
const MAX_AGREEMENTS = 100

/** Converts a licence; the page of its SPDX ID is the fallback for a missing link. */
function toLicenseAgreement(
  value: unknown,
  { name, url }: { readonly name: string; readonly url: string },
): ImportedAgreement {
  const stated = isObject(value) ? asText(value.identifier) || asText(value['x-spdx']) : ''
  const spdxId =
    (/^[A-Za-z0-9][A-Za-z0-9.-]{0,60}$/.test(stated) ? toSpdxId({ name: stated }) || stated : '') ||
    toSpdxId({ name, link: url })
  const link = url || (spdxId === '' ? '' : `https://spdx.org/licenses/${spdxId}.html`)
  const agreement = { name, link, kind: 'InterfaceLicense' }
  return spdxId === '' ? agreement : { ...agreement, spdxId }
}
