import { describe, expect, it } from 'vitest'
import { openGrammars } from '../../../adapters/scanner/grammars.ts'
import { GRAMMARS } from '../../../core/code-scanner/languages/languages.ts'
import type { ProjectFindings } from '../../../core/code-scanner/model/finding.ts'
import { createPackageTable } from '../../../core/code-scanner/packages/table.ts'
import { scanProject } from '../../../core/code-scanner/scan-project.ts'
import { emptyCatalogue } from './scan.ts'

const grammars = await openGrammars(GRAMMARS)
const table = createPackageTable()

async function scanTexts(texts: Readonly<Record<string, string>>): Promise<ProjectFindings> {
  const files = Object.entries(texts).map(([path, text]) => ({ path, text }))
  return scanProject({ files, grammars, catalogue: emptyCatalogue, ...table })
}

/** Returns the usages of vendors' libraries in a project, as `file via package`. */
async function findLibraries(texts: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const { findings } = await scanTexts(texts)
  return findings
    .filter(({ via }) => via !== 'own-package')
    .map(({ file, via, package: name }) => `${file} ${via} ${name}`)
}

/** Returns the client libraries that a project implements, as `file:line:column package`. */
async function findOwnClients(texts: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const { findings } = await scanTexts(texts)
  return findings
    .filter(({ via }) => via === 'own-package')
    .map(({ file, line, column, package: name }) => `${file}:${line}:${column} ${name}`)
}

const POM = '<project><groupId>com.plaid.demo</groupId><artifactId>a</artifactId></project>'

describe("a project's own packages", () => {
  it.each([
    [
      'Java: the package of the file itself',
      { 'A.java': 'package com.plaid.quickstart;\nimport com.plaid.quickstart.Helper;\n' },
    ],
    [
      'Java: the package of another file, and what lies below it',
      {
        'a/A.java': 'package com.plaid.quickstart;\nclass A {}\n',
        'b/B.java':
          'package org.b;\nimport com.plaid.quickstart.Helper;\nimport com.plaid.quickstart.b.C;\n',
      },
    ],
    [
      'Java: a library itself, package by package',
      {
        'A.java': 'package com.stripe;\nimport com.stripe.net.Http;\n',
        'net/Http.java': 'package com.stripe.net;\nimport com.stripe.Stripe;\n',
      },
    ],
    [
      'JavaScript: aliases of folders',
      {
        'package.json': '{ "dependencies": { "express": "5.0.0" } }',
        'tsconfig.base.json':
          '{ "compilerOptions": { "paths": { "@acme/media/*": ["apps/api/src/*"] } } }',
        'a.ts': "import { play } from '@acme/media/provider/twitch-clip'\n",
      },
    ],
    ['Java: the groupId of Maven', { 'pom.xml': POM, 'B.java': 'import com.plaid.demo.x.Y;\n' }],
    [
      'Java: the group of Gradle',
      { 'build.gradle': "group = 'com.plaid.demo'\n", 'B.java': 'import com.plaid.demo.x.Y;\n' },
    ],
    [
      'Kotlin',
      {
        'a/A.kt': 'package com.plaid.quickstart\nclass A\n',
        'B.kt': 'package b\nimport com.plaid.quickstart.A\n',
      },
    ],
    [
      'Go: the module path',
      {
        'go.mod': 'module github.com/plaid/plaid-go/v20\n',
        'cmd/main.go': 'package main\nimport "github.com/plaid/plaid-go/v20/plaid"\n',
      },
    ],
    [
      'JavaScript: the name of the package',
      { 'package.json': '{"name":"stripe"}', 'test/a.ts': "import Stripe from 'stripe/lib'\n" },
    ],
    [
      'JavaScript: workspaces',
      {
        'package.json': '{"name":"root","workspaces":["packages/*"]}',
        'packages/core/package.json': '{"name":"@octokit/core"}',
        'packages/rest/package.json': '{"name":"@octokit/x","dependencies":{"@octokit/core":"^5"}}',
        'packages/rest/a.ts': "import { Octokit } from '@octokit/core'\n",
      },
    ],
    [
      'JavaScript: packages that lie in the project',
      { 'package.json': '{"dependencies":{"stripe":"workspace:*","twilio":"file:../twilio"}}' },
    ],
    [
      'C#: namespaces, of blocks and of files',
      {
        'A.cs': 'namespace Stripe.Samples { class A {} }\n',
        'B.cs': 'using Stripe.Samples;\nusing Stripe.Samples.Deep;\nnamespace B;\n',
      },
    ],
    [
      'C#: the root namespace',
      {
        'a.csproj': '<Project><RootNamespace>Stripe.Samples</RootNamespace></Project>',
        'B.cs': 'using Stripe.Samples.Models;\nclass B {}\n',
      },
    ],
    [
      'PHP: PSR-4',
      {
        'composer.json': '{"autoload":{"psr-4":{"Stripe\\\\Demo\\\\":"src/"}}}',
        'a.php': '<?php\nuse Stripe\\Demo\\Deep\\Thing;\n',
      },
    ],
    [
      'PHP: PSR-4 of development',
      {
        'composer.json': '{"autoload-dev":{"psr-4":{"Stripe\\\\Demo\\\\":"tests/"}}}',
        'a.php': '<?php\nuse Stripe\\Demo\\Deep\\Thing;\n',
      },
    ],
    [
      'PHP: the namespace of a file',
      {
        'src/A.php': '<?php\nnamespace Stripe\\Demo;\nclass A {}\n',
        'b.php': '<?php\nuse Stripe\\Demo\\A;\n',
      },
    ],
    [
      'Python: a folder',
      {
        'stripe/__init__.py': '',
        'stripe/a.py': 'from stripe.b import C\n',
        'tests/test_a.py': 'import stripe\n',
      },
    ],
    [
      'Python: a folder below src',
      { 'src/stripe/__init__.py': '', 'tests/test_a.py': 'import stripe\n' },
    ],
    [
      'Rust: the crate',
      {
        'Cargo.toml': '[package]\nversion = "1.0.0"\nname = "async-stripe"\n',
        'tests/a.rs': 'use async_stripe::Client;\n',
      },
    ],
    [
      'Ruby: the gem',
      {
        'stripe.gemspec': "Gem::Specification.new do |s|\n  s.name = 'stripe'\nend\n",
        'test/a.rb': "require 'stripe'\n",
      },
    ],
  ])('are no vendor’s libraries: %s', async (_, files) => {
    expect(await findLibraries(files)).toEqual([])
  })

  it.each([
    [
      'Java: the vendor’s package beside an own one',
      {
        'A.java':
          'package com.plaid.quickstart;\nimport com.plaid.client.PlaidApi;\nimport com.plaid.quickstart.B;\n',
      },
      ['A.java import pkg:maven/com.plaid/plaid-java'],
    ],
    [
      'Java: a project of another name',
      { 'A.java': 'package org.shop;\nimport com.plaid.client.PlaidApi;\n' },
      ['A.java import pkg:maven/com.plaid/plaid-java'],
    ],
    [
      'Java: an own package that is a whole vendor’s prefix',
      { 'A.java': 'package com.stripe;\nimport com.stripe.model.Charge;\n' },
      ['A.java import pkg:maven/com.stripe/stripe-java'],
    ],
    [
      'Java: a groupId of which the project has a dependency',
      {
        'pom.xml':
          '<project><groupId>com.google.cloud</groupId><dependencies><dependency><groupId>com.google.cloud</groupId><artifactId>google-cloud-storage</artifactId></dependency></dependencies></project>',
        'A.java': 'package org.shop;\nimport com.google.cloud.storage.Storage;\n',
      },
      [
        'A.java import pkg:maven/com.google.cloud/google-cloud-storage',
        'pom.xml manifest pkg:maven/com.google.cloud/google-cloud-storage',
      ],
    ],
    [
      'JavaScript: a package of the same name that it depends on',
      {
        'package.json': '{"dependencies":{"stripe":"^14"}}',
        'functions/stripe/package.json': '{"name":"stripe"}',
        'a.ts': "import Stripe from 'stripe'\n",
      },
      ['a.ts import pkg:npm/stripe', 'package.json manifest pkg:npm/stripe'],
    ],
    [
      'Python: a folder within a package',
      {
        'app/__init__.py': '',
        'app/stripe/__init__.py': '',
        'app/stripe/a.py': 'import stripe\n',
      },
      ['app/stripe/a.py import pkg:pypi/stripe'],
    ],
    [
      'Python: a folder elsewhere',
      { 'tools/stripe/__init__.py': '', 'app/a.py': 'import stripe\n' },
      ['app/a.py import pkg:pypi/stripe'],
    ],
    [
      'Go: a module of another name of the same organisation',
      {
        'go.mod': 'module github.com/plaid/quickstart\nrequire github.com/plaid/plaid-go v1.0.0\n',
        'a.go': 'package a\nimport "github.com/plaid/plaid-go/plaid"\n',
      },
      [
        'a.go import pkg:golang/github.com/plaid/plaid-go',
        'go.mod manifest pkg:golang/github.com/plaid/plaid-go@v1.0.0',
      ],
    ],
    [
      'C#: a namespace that is a whole vendor’s prefix',
      { 'A.cs': 'using Stripe.Checkout;\nnamespace Stripe;\n' },
      ['A.cs import pkg:nuget/Stripe.net'],
    ],
  ])('leave the vendors’ in place: %s', async (_, files, wanted) => {
    expect(await findLibraries(files)).toEqual(wanted)
  })
})

describe('a project that is a client library', () => {
  const CALL = "BASE_URL = 'https://api.stripe.com/v1'\n"

  it.each([
    ['npm', { 'package.json': '{\n  "name": "resend"\n}' }, 'package.json:2:12 pkg:npm/resend'],
    [
      'PyPI',
      { 'pyproject.toml': '[project]\nname = "stripe"\n' },
      'pyproject.toml:2:9 pkg:pypi/stripe',
    ],
    [
      'Go modules',
      { 'go.mod': 'module github.com/stripe/stripe-go/v82\n' },
      'go.mod:1:8 pkg:golang/github.com/stripe/stripe-go',
    ],
    [
      'RubyGems',
      { 'stripe.gemspec': "Gem::Specification.new do |s|\n  s.name = 'stripe'\nend\n" },
      'stripe.gemspec:2:13 pkg:gem/stripe',
    ],
    [
      'crates.io',
      { 'Cargo.toml': '[package]\nname = "async-stripe"\n' },
      'Cargo.toml:2:9 pkg:cargo/async-stripe',
    ],
    [
      'Packagist',
      { 'composer.json': '{ "name": "stripe/stripe-php" }' },
      'composer.json:1:12 pkg:composer/stripe/stripe-php',
    ],
  ])('is known by the name of its package: %s', async (_, files, client) => {
    expect(await findOwnClients(files)).toEqual([client])
  })

  it('is known by a namespace if it calls the hosts of the vendor', async () => {
    const library = { 'stripe/__init__.py': '' }
    expect(await findOwnClients(library)).toEqual([])
    expect(await findOwnClients({ ...library, 'stripe/api.py': CALL })).toEqual([
      'stripe/__init__.py:1:1 pkg:pypi/stripe',
    ])
  })

  it('is one finding per vendor, however many of its modules import each other', async () => {
    const { findings } = await scanTexts({
      'packages/a/package.json': '{"name":"@aws-sdk/client-s3"}',
      'packages/b/package.json': '{"name":"@aws-sdk/client-sqs"}',
      'packages/b/index.ts': "import { S3Client } from '@aws-sdk/client-s3'\n",
    })
    expect(findings.map(({ file, via, vendorName }) => [file, via, vendorName])).toEqual([
      ['packages/a/package.json', 'own-package', 'Amazon Web Services'],
    ])
  })

  it('has no usages of its package in examples and tests', async () => {
    const files = {
      'package.json': '{"name":"resend"}',
      'examples/next/package.json': '{"dependencies":{"resend":"^4"}}',
      'examples/next/index.ts': "import { Resend } from 'resend'\n",
    }
    expect(await findLibraries(files)).toEqual([])
    expect(await findOwnClients(files)).toEqual(['package.json:1:10 pkg:npm/resend'])
  })

  it.each([
    [
      'a project that depends on the library',
      { 'package.json': '{"name":"stripe","dependencies":{"stripe":"^14"}}' },
    ],
    [
      'a namespace in a project that depends on the library',
      {
        'requirements.txt': 'stripe==14.0.0\n',
        'stripe/__init__.py': '',
        'stripe/api.py': "BASE_URL = 'https://api.stripe.com/v1'\n",
      },
    ],
    ['an example', { 'examples/a/package.json': '{"name":"stripe"}' }],
    ['a nested folder', { 'app/stripe/__init__.py': '', 'app/api.py': CALL }],
  ])('is not %s', async (_, files) => {
    expect(await findOwnClients(files)).toEqual([])
  })
})
