import { expect, it } from 'vitest'
import { openGrammars } from '../../../adapters/scanner/grammars.ts'
import { createPackageTable } from '../../../core/code-scanner/packages/table.ts'
import { scanProject } from '../../../core/code-scanner/scan-project.ts'

const grammars = await openGrammars(['ruby', 'python', 'javascript', 'go'])

it.skipIf(!grammars).each([
  ['a.rake', 'sh "sentry-cli releases new #{version}"', 'sentry-cli'],
  ['a.rb', 'execute :"sentry-cli", "releases", "finalize", release', 'sentry-cli'],
  ['a.rb', 'urls = `aws s3 ls s3://berths`', 'aws'],
  ['a.rb', 'Open3.capture2e("gh", "pr", "list")', 'gh'],
  ['a.py', 'import subprocess\nsubprocess.run(["gh", "pr", "view", number], check=True)', 'gh'],
  ['a.py', 'import subprocess\nsubprocess.run(f"gh {args}", shell=True)', 'gh'],
  ['a.py', 'import os\nos.system("sudo aws s3 sync . s3://berths")', 'aws'],
  [
    'a.py',
    'import subprocess\ndef run(*words):\n    subprocess.run(*words)\n\nrun([\n    "aws", "iam", "get-user"])',
    'aws',
  ],
  [
    'a.py',
    'import subprocess\nclass A:\n  def run(self, words):\n    subprocess.run(words)\n  def b(self):\n    self.run(["gh", "pr"])',
    'gh',
  ],
  ['a.js', 'execSync(`gh release create ${tag}`)', 'gh'],
  ['a.js', "await execa('vercel', ['deploy', '--prod'])", 'vercel'],
  ['a.go', 'package a\nfunc b() { exec.CommandContext(ctx, "gh", "api", "user").Run() }', 'gh'],
  // Local commands, other programs, and texts that start none.
  ['a.rb', 'sh "aws --version"', undefined],
  ['a.rb', 'sh "bundle install"', undefined],
  ['a.js', "test('gh pr list prints', () => {})", undefined],
  [
    'a.py',
    'import subprocess\ndef run(words):\n    subprocess.run(words)\n\nrobot.run(["aws", "s3", "ls"])',
    undefined,
  ],
  [
    'a.py',
    'import subprocess\ndef run(words):\n  subprocess.run(words)\nclass A:\n  def b(self):\n    self.run(["gh", "pr"])',
    undefined,
  ],
  ['a.py', 'cursor.execute("select aws from tools")', undefined],
])('the tools that %s starts are found: %s', async (path, text, tool) => {
  const { findings } = await scanProject({
    files: [{ path, text: `${text}\n` }],
    grammars,
    catalogue: { match: () => undefined },
    ...createPackageTable(),
  })
  const packages = findings.map((found) => found.package)
  expect(packages).toEqual(tool === undefined ? [] : [`pkg:generic/${tool}`])
})
