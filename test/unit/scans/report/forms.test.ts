// biome-ignore-all lint/suspicious/noTemplateCurlyInString: code of a scanned project
import * as fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { openGrammars } from '../../../../adapters/scanner/grammars.ts'
import { buildFindingsBom } from '../../../../core/boms/build-findings-bom.ts'
import { renderBom } from '../../../../core/boms/render-bom.ts'
import type { ProjectFindings } from '../../../../core/code-scanner/model/finding.ts'
import { scanProject } from '../../../../core/code-scanner/scan-project.ts'
import type { Approval } from '../../../../core/scans/records.ts'
import { joinDecisions } from '../../../../core/scans/report/decisions.ts'
import { diffUsages, isEmptyDiff } from '../../../../core/scans/report/diff.ts'
import { toFindingsDocument } from '../../../../core/scans/report/findings-document.ts'
import { checkReport } from '../../../../core/scans/report/judge.ts'
import { buildProjectReport } from '../../../../core/scans/report/project-report.ts'
import { toReviewFile } from '../../../../core/scans/report/review-file.ts'
import { readStoredUsages } from '../../../../core/scans/report/stored-uses.ts'
import { mergeUsages } from '../../../../core/scans/report/uses.ts'
import { openTestService } from '../../../helpers/service.ts'
import { readText } from '../../boms/texts.ts'

const service = await openTestService()
afterAll(() => service.close())
const catalogue = await service.app.loadScanCatalogue()
const grammars = await openGrammars(['javascript'])
const APPROVALS: readonly Approval[] = ['yes', 'no', 'unreviewed']

/** The same project in each format that `scan diff` reads. */
async function toForms(found: ProjectFindings): Promise<readonly string[]> {
  const decide = joinDecisions([
    mergeUsages(found.findings).map(({ url, method }) => ({
      url,
      method,
      approval: APPROVALS[(url.length + (method ?? '').length) % 3] ?? 'yes',
      reason: '',
    })),
  ])
  const report = buildProjectReport(found, { facts: new Map(), decide })
  const bom = (format: 'specification' | 'cyclonedx-json') =>
    renderBom(
      buildFindingsBom(service.storage.catalogue, {
        projectName: 'shop',
        scannedAt: 0,
        uses: mergeUsages(found.findings, decide),
      }),
      { shape: { format, version: '1.6' }, tool: { name: 'test', version: '1' } },
    )
  return [
    JSON.stringify(toFindingsDocument(found)),
    JSON.stringify(toReviewFile('shop', report)),
    await readText(await bom('specification')),
    await readText(await bom('cyclonedx-json')),
  ]
}

const host = fc.constantFrom('eu.api.skycast.example', 'EU.api.SkyCast.example', 'api.pigeon.io')
const path = fc.constantFrom(
  ...['/v2/forecast', '/v2/forecast/', '/v2/stations/42', '/v2/stations/7?x=1', '/a b/[0]/%'],
  ...['', '/', '?q=1', '#top', '/v2/${id}', '/v2/${id}?page=${n}', ':443/v2/forecast', ':{}/x'],
)
const call = fc.record({
  scheme: fc.constantFrom('https', 'http'),
  host,
  path,
  method: fc.constantFrom('GET', 'POST', ''),
})

describe('one project in several forms', () => {
  it('differs in none of them', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(call, { maxLength: 8 }), async (calls) => {
        const lines = calls.map(({ scheme, host, path, method }) => {
          const url = `\`${scheme}://${host}${path}\``
          return method === '' ? `const apiUrl = ${url}` : `fetch(${url}, { method: '${method}' })`
        })
        const files = [
          { path: 'a.js', text: lines.join('\n') },
          { path: 'b.js', text: ["import 'stripe'", ...lines.slice(0, 3)].join('\n') },
          { path: 'package.json', text: '{"dependencies":{"stripe":"14.2.0"}}' },
        ]
        const found = await scanProject({ files, catalogue, grammars })
        const forms = (await toForms(found)).map(readStoredUsages)
        for (const before of forms) {
          for (const after of forms) {
            const diff = diffUsages(before, after)
            expect(isEmptyDiff(diff), JSON.stringify(diff)).toBe(true)
          }
          const report = buildProjectReport(found, { facts: new Map(), decide: joinDecisions([]) })
          const checks = new Set(['new'] as const)
          expect(checkReport(report, { checks, baseline: before })).toEqual([])
        }
      }),
      { seed: 9, numRuns: 60 },
    )
  })
})
