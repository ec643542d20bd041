import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openGrammars } from '../../../adapters/scanner/grammars.ts'
import { GRAMMARS } from '../../../core/code-scanner/languages/languages.ts'
import type { RawFinding, SourceFile, UsageRole } from '../../../core/code-scanner/model/finding.ts'
import { findUsageRole } from '../../../core/code-scanner/noise/usage-roles.ts'
import { createPackageTable } from '../../../core/code-scanner/packages/table.ts'
import { scanProject } from '../../../core/code-scanner/scan-project.ts'

/** Expected findings of a line in a labelled project. */
interface Label {
  readonly file: string
  readonly line: number
  readonly calls: boolean
  /** As in `RawFinding.url`, with or without a query. */
  readonly url?: string
  readonly method?: string
  readonly role?: UsageRole
  readonly kind: string
}

type Found = Omit<RawFinding, 'package'> & { readonly package?: string | undefined }

const ROOT = 'fixtures/scans'
const languages = readdirSync(ROOT).filter((name) => existsSync(join(ROOT, name, 'labels.json')))
const grammars = await openGrammars(GRAMMARS)

/** Manifests of client libraries, by folder. */
const OWN_CLIENTS: Readonly<Record<string, readonly string[]>> = {
  manifests: ['pyproject.toml'],
}

describe.skipIf(!grammars)('labelled projects (skipped without grammars)', () => {
  it.each(languages)('finds every call in %s and reports nothing else', async (language) => {
    const folder = join(ROOT, language)
    const labels: readonly Label[] = JSON.parse(readFileSync(join(folder, 'labels.json'), 'utf8'))
    const catalogue = { match: () => undefined }
    const { findings: resolved, unresolved } = await scanProject({
      files: filesOf(folder),
      grammars,
      catalogue,
      ...createPackageTable(),
    })
    // Labels describe usages.
    const usages = resolved.filter(({ via }) => via !== 'own-package')
    const own = resolved.filter(({ via }) => via === 'own-package').map(({ file }) => file)
    expect(own).toEqual(OWN_CLIENTS[language] ?? [])
    const findings = [...usages, ...unresolved]
    const wrong = labels.filter((label) => !isRight(label, findings))
    const positive = labels.filter(({ calls }) => calls)
    const missed = wrong.filter(({ calls }) => calls).length
    const negatives = labels.length - positive.length
    console.log(
      `${language}: ${positive.length - missed} of ${positive.length} calls found, ` +
        `${wrong.length - missed} of ${negatives} others reported`,
    )
    expect(wrong.map((label) => ({ label, found: on(label, findings) }))).toEqual([])
  })
})

function isRight(label: Label, findings: readonly Found[]): boolean {
  const found = findings.filter(({ file, line }) => file === label.file && line === label.line)
  if (!label.calls) return found.length === 0
  return found.some((usage) => {
    const { url, method } = usage
    return (
      (label.url === undefined || [url, url.split('?')[0]].includes(label.url)) &&
      (label.method === undefined || method === label.method) &&
      (label.role === undefined || findUsageRole(usage) === label.role)
    )
  })
}

function on(label: Label, findings: readonly Found[]): readonly string[] {
  return findings
    .filter(({ file, line }) => file === label.file && line === label.line)
    .map(({ via, method, url }) => `${via} ${method} ${url}`)
}

function filesOf(folder: string, below = ''): readonly SourceFile[] {
  return readdirSync(join(folder, below)).flatMap((name) => {
    const path = below === '' ? name : `${below}/${name}`
    if (statSync(join(folder, path)).isDirectory()) return filesOf(folder, path)
    return path === 'labels.json' ? [] : [{ path, text: readFileSync(join(folder, path), 'utf8') }]
  })
}
