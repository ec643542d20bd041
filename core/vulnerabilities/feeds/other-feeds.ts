import { ServiceError } from '../../errors.ts'

/** A source of vulnerability data, as `sync` names it. */
type FeedName = 'nvd' | 'cve' | 'kev' | 'epss'

/** Content and signs of each source's files. */
const FEEDS: Readonly<Record<FeedName, { readonly content: string; readonly sign: RegExp }>> = {
  kev: { content: "CISA's KEV catalogue", sign: /"(?:catalogVersion|cveID)"\s*:/ },
  cve: {
    content: 'records of the CVE Program',
    sign: /"dataType"\s*:\s*"CVE_RECORD"|"cveMetadata"\s*:/,
  },
  nvd: {
    content: 'records of NVD',
    sign: /"(?:resultsPerPage|sourceIdentifier|CVE_data_type|CVE_Items)"\s*:|"cve"\s*:\s*\{/,
  },
  epss: {
    content: 'EPSS scores',
    sign: /^[^\w#]*(?:#model_version:|cve[,;]epss|CVE-\d{4}-\d+[,;][\d.])/i,
  },
}

/** Number of bytes in which a file shows its source. */
const START_BYTES = 4096

/**
 * Forwards the bytes of a feed. Throws a `ServiceError` with code `unsupported_media_type` if its
 * start shows another source, and none of the expected one.
 */
export async function* rejectOtherFeeds(
  bytes: AsyncIterable<Uint8Array>,
  expected: FeedName,
): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder('latin1')
  let start = ''
  for await (const chunk of bytes) {
    if (start.length < START_BYTES) {
      start += decoder.decode(chunk.subarray(0, START_BYTES))
      const found = Object.entries(FEEDS).find(([, { sign }]) => sign.test(start))
      if (found && !FEEDS[expected].sign.test(start)) throw createOtherFeedError(found)
    }
    yield chunk
  }
}

function createOtherFeedError([name, { content }]: [string, { readonly content: string }]) {
  const reason = `it contains ${content}; load it with "sync ${name} --from"`
  return new ServiceError('unsupported_media_type', `Cannot read the document: ${reason}`)
}
