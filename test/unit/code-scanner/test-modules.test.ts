import { describe, expect, it } from 'vitest'
import { openGrammars } from '../../../adapters/scanner/grammars.ts'
import { GRAMMARS } from '../../../core/code-scanner/languages/languages.ts'
import { findUsageRole } from '../../../core/code-scanner/noise/usage-roles.ts'
import { scanProject } from '../../../core/code-scanner/scan-project.ts'

const grammars = await openGrammars(GRAMMARS)
const URL = 'https://api.acme-pay.com/v1/charges'

async function findRoles(path: string, text: string): Promise<readonly string[]> {
  const catalogue = { match: () => undefined }
  const { findings } = await scanProject({ files: [{ path, text }], grammars, catalogue })
  return findings.map(findUsageRole)
}

const GO = `func run() { http.Get("${URL}") }\n`
const PYTHON = `import requests\nrequests.get('${URL}')\n`
const RUST = `async fn run() { reqwest::get("${URL}").await; }\n`

describe.skipIf(!grammars)('a file that imports a module', () => {
  it.each([
    ['shop/errors.py', `from responses import ErrorResponse\n${PYTHON}`],
    ['shop/clock.py', `from testing.clock import Clock\n${PYTHON}`],
    ['shop/vcr.py', `import vcr\n${PYTHON}`],
    ['shop/client.go', `package shop\nimport (\n"net/http"\n"testing"\n)\n${GO}`],
    ['shop/adapter.go', `package shop\nimport (\n"net/http"\n"net/http/httptest"\n)\n${GO}`],
    ['src/scraper.ts', `import { chromium } from '@playwright/test'\nfetch('${URL}')\n`],
    ['src/mocks.ts', `import { mock } from 'mockito'\nfetch('${URL}')\n`],
    ['src/client.rs', `use responses::ApiResponse;\n${RUST}`],
    ['app/Charges.php', `<?php\nuse PHPUnit\\Framework\\Assert;\nfile_get_contents('${URL}');\n`],
  ])('that production code may import is production code: %s', async (path, text) => {
    expect(await findRoles(path, text)).toEqual(['production'])
  })

  it.each([
    ['shop/fakes.py', `import pytest\n${PYTHON}`],
    [
      'shop/client.go',
      `package shop\nimport (\n"net/http"\n"github.com/stretchr/testify/assert"\n)\n${GO}`,
    ],
    ['src/fakes.ts', `import { vi } from 'vitest'\nfetch('${URL}')\n`],
    [
      'src/Fakes.cs',
      `using Moq;\nclass A { void B(HttpClient client) { client.GetAsync("${URL}"); } }\n`,
    ],
    ['src/client.rs', `use wiremock::MockServer;\n${RUST}`],
  ])('that only tests import is a test: %s', async (path, text) => {
    expect(await findRoles(path, text)).toEqual(['test'])
  })
})
