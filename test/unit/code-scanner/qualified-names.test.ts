import { describe, expect, it } from 'vitest'
import { openGrammars } from '../../../adapters/scanner/grammars.ts'
import { createPackageTable } from '../../../core/code-scanner/packages/table.ts'
import { scanProject } from '../../../core/code-scanner/scan-project.ts'

const grammars = await openGrammars(['c-sharp', 'java', 'php', 'ruby', 'rust'])

async function findLibraries(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const { findings } = await scanProject({
    files: Object.entries(files).map(([path, text]) => ({ path, text })),
    grammars,
    catalogue: { match: () => undefined },
    ...createPackageTable(),
  })
  return findings
    .filter(({ via }) => via === 'import')
    .map(({ file, line, url }) => `${file}:${line} ${url}`)
}

describe('libraries that are used without an import', () => {
  it('are found by the constants of a gem that the project depends on', async () => {
    const gems = `gem 'stripe'\ngem 'aws-sdk-s3'\ngem 'twilio-ruby'\ngem 'sentry-raven'\n`
    const text = `class Payment
  def pay
    Stripe.api_key = ENV['KEY']
    Stripe::Charge.create(amount: 100)
    Twilio::REST::Client.new(sid, token)
    Aws::S3::Client.new
    Raven.capture_exception(error)
  end
end
`
    expect(await findLibraries({ Gemfile: gems, 'app/payment.rb': text })).toEqual([
      'app/payment.rb:3 https://api.stripe.com',
      'app/payment.rb:5 https://api.twilio.com',
      'app/payment.rb:6 https://s3.{}.amazonaws.com',
      'app/payment.rb:7 https://{}.ingest.sentry.io',
    ])
  })

  it('are found by modules that a class includes, and where deployments notify them', async () => {
    const files = {
      Gemfile: `gem 'recaptcha'\ngem 'honeybadger'\n`,
      'app/messages.rb': `class Messages
  include Recaptcha::Adapters::ControllerMethods
  include Helpers::Text
end
`,
      Capfile: `require 'capistrano/setup'\nrequire 'capistrano/honeybadger'\n`,
    }
    expect(await findLibraries(files)).toEqual([
      'Capfile:2 https://api.honeybadger.io/v1',
      'app/messages.rb:2 https://www.google.com/recaptcha/api',
    ])
  })

  it('are found as tools that a program starts', async () => {
    const files = {
      'A.java': 'class A { void b() { new ProcessBuilder("aws", "s3", "ls").start(); } }',
      'a.php': `<?php exec('gh release list');\n`,
    }
    expect(await findLibraries(files)).toEqual([
      'A.java:1 https://s3.{}.amazonaws.com',
      'a.php:1 https://api.github.com',
    ])
  })

  it('do not count where the project neither imports nor depends on one of that name', async () => {
    const files = {
      'a.rb': `Stripe::Charge.create(amount: 100)\nSquare.new(2).area\n`,
      'a.php': `<?php\n$a = new \\Stripe\\StripeClient('k');\n`,
      'A.cs': `class A { void B() { var a = new Stripe.ChargeService(); } }`,
    }
    expect(await findLibraries(files)).toEqual([])
  })

  it('do not count where the file declares the class itself', async () => {
    const text = `module Stripe\n  class Charge\n  end\nend\nStripe::Charge.new\n`
    expect(await findLibraries({ Gemfile: `gem 'stripe'\n`, 'a.rb': text })).toEqual([])
  })

  it('are found by namespaces, crates and packages, once for each library of a file', async () => {
    const files = {
      'composer.json': '{ "require": { "stripe/stripe-php": "^10" } }',
      'a.php': `<?php
$a = \\Stripe\\PaymentIntent::create(['amount' => 1]);
$b = new \\Stripe\\StripeClient('k');
`,
      'a.csproj': '<Project><PackageReference Include="Stripe.net" Version="43" /></Project>',
      'A.cs': `class A { void B() {
        Stripe.StripeConfiguration.ApiKey = "k";
        var s3 = new Amazon.S3.AmazonS3Client(); } }`,
      'A.java': `class A { void b() {
        com.stripe.Stripe.apiKey = "k"; com.stripes.A.b(); } }`,
      'Cargo.toml': '[dependencies]\noctocrab = "0.3"\n',
      'a.rs': 'fn a() { let b = octocrab::Octocrab::builder().build(); }\n',
    }
    expect(await findLibraries(files)).toEqual([
      'A.cs:2 https://api.stripe.com',
      'A.cs:3 https://s3.{}.amazonaws.com',
      'A.java:2 https://api.stripe.com',
      'a.php:2 https://api.stripe.com',
      'a.rs:1 https://api.github.com',
    ])
  })
})
