import { SPEC_VERSIONS, type StoredScan } from '../../../core/index.ts'
import { type Html, html } from '../../../core/shared/html.ts'
import { GUIDES_PATH } from '../guides/guide-list.ts'
import { toScanPath } from './paths.ts'

/** Renders links to the BOM of a scan in every format. */
export function renderBomLinks(scan: StoredScan): Html {
  const path = `${toScanPath(scan)}/bom`
  const links = (format: string, name: string) =>
    html`<li>CycloneDX ${name}: ${SPEC_VERSIONS.map(
      (version) =>
        html`<a href="${path}?format=${format}&amp;spec_version=${version}" aria-label="CycloneDX ${version}, ${name}" download>${version}</a> `,
    )}</li>`
  return html`<ul>${links('cyclonedx-json', 'JSON')}${links('cyclonedx-xml', 'XML')}
<li><a href="${path}" download>Service format (JSON)</a>, streamed for scans of any size</li></ul>
<p>Guide: <a href="${GUIDES_PATH}/boms">Create and compare BOMs</a></p>`
}
