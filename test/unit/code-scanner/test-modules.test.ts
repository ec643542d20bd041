import { describe, expect, it } from 'vitest'
import { openGrammars } from '../../../adapters/scanner/grammars.ts'
import { GRAMMARS } from '../../../core/code-scanner/languages/languages.ts'
import { findUsageRole } from '../../../core/code-scanner/noise/usage-roles.ts'
import { createPackageTable } from '../../../core/code-scanner/packages/table.ts'
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

const S3 = '"github.com/aws/aws-sdk-go-v2/service/s3"'
const CONTAINER = '"github.com/testcontainers/testcontainers-go/modules/minio"'

describe.skipIf(!grammars)("an import of a vendor's library", () => {
  async function findLibraries(path: string, text: string): Promise<readonly string[]> {
    const options = { grammars, catalogue: { match: () => undefined }, ...createPackageTable() }
    const { findings } = await scanProject({ files: [{ path, text }], ...options })
    return findings.map(({ package: name = '' }) => name)
  }

  it.each([
    ['a_test.go', `package a\nimport (\n${S3}\n${CONTAINER}\n)\nvar c = s3.NewFromConfig(x)\n`],
    [
      'src/test/A.java',
      'import software.amazon.awssdk.services.s3.S3Client;\nimport org.testcontainers.containers.localstack.LocalStackContainer;\nclass A {}\n',
    ],
    ['a.py', 'from openai import APIError, RateLimitError as Limit\n'],
    ['a.py', 'from google.genai import errors\n'],
    ['a.py', 'from stripe.error import CardError\n'],
    ['a.py', 'from botocore.exceptions import ClientError\n'],
    ['a.ts', "import { AuthenticationError } from 'openai'\n"],
    ['A.java', 'import com.stripe.exception.CardException;\nclass A {}\n'],
  ])('of an emulated service or for its errors alone is no usage: %s %s', async (path, text) => {
    expect(await findLibraries(path, text)).toEqual([])
  })

  it.each([
    ['a_test.go', `package a\nimport ${S3}\n`],
    ['a_test.go', `package a\nimport (\n"github.com/stripe/stripe-go/v76"\n${CONTAINER}\n)\n`],
    ['a.py', 'from openai import APIError, OpenAI\n'],
    ['a.py', 'import stripe.error\nstripe.Charge.create()\n'],
    ['a.py', 'from google.cloud import error_reporting\n'],
    ['a.ts', "import { captureException } from '@sentry/node'\n"],
    ['a.ts', "import { ErrorBoundary } from '@sentry/react'\n"],
  ])('that may send requests is a usage: %s %s', async (path, text) => {
    expect(await findLibraries(path, text)).toHaveLength(1)
  })
})
