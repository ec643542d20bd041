import { BOM_FORMATS, SPEC_VERSIONS } from '../../../core/boms/index.ts'
import { ServiceError } from '../../../core/index.ts'
import type { PageResult, ViewedRequest } from '../page.ts'
import type { ScanKind } from './paths.ts'

/** Streams the BOM of a scan in the requested format. */
export async function handleBomDownload(
  request: ViewedRequest,
  kind: ScanKind,
): Promise<PageResult> {
  const { app, params, query } = request
  const { account } = request.viewer.caller
  const asked = {
    format: query.get('format') ?? 'specification',
    version: query.get('spec_version') ?? '1.5',
  }
  const format = BOM_FORMATS.find((each) => each === asked.format)
  const version = SPEC_VERSIONS.find((each) => each === asked.version)
  if (!format || !version) {
    throw new ServiceError('invalid_input', 'Unknown BOM format')
  }
  const id = params.id ?? ''
  const shape = { format, version }
  const { body, mediaType } =
    kind === 'project'
      ? await app.boms.writeProject(account, { projectId: id, shape })
      : await app.boms.writeNetwork(account, { instanceId: id, shape })
  const ending =
    format === 'cyclonedx-xml' ? 'cdx.xml' : format === 'cyclonedx-json' ? 'cdx.json' : 'json'
  return { kind: 'file', name: `${id}.${ending}`, mediaType, body }
}
