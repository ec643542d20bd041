import { describe, expect, it } from 'vitest'
import { otherProtocolReader } from '../../../core/code-scanner/config/other-protocols.ts'
import { scanFiles } from './scan.ts'

function findHosts(path: string, text: string): readonly string[] {
  if (!otherProtocolReader.fits(path)) return []
  return otherProtocolReader
    .read({ path, text }, {})
    .map(({ line, column, url }) => `${line}:${column} ${url}`)
}

describe('hosts of vendors for other protocols than HTTP', () => {
  it.each([
    ['src/mail.js', "const mail = { host: 'smtp.sendgrid.net' }", '1:23 smtp.sendgrid.net'],
    ['settings.py', 'EMAIL_HOST = "smtp.mailgun.org:587"', '1:15 smtp.mailgun.org:587'],
    ['mail.go', 'u := "smtps://me:pw@smtp.resend.com/"', '1:21 smtp.resend.com'],
    ['mail.rb', "ENV['A'] || 'smtp-relay.brevo.com'", '1:14 smtp-relay.brevo.com'],
    [
      'a.ts',
      ['const host = `email-smtp.$', '{region}.amazonaws.com`'].join(''),
      '1:15 email-smtp.{}.amazonaws.com',
    ],
    [
      'stack.yml',
      ['HOST: $', '{SMTP_HOST:-email-smtp.eu-west-1.amazonaws.com}'].join(''),
      '1:20 email-smtp.eu-west-1.amazonaws.com',
    ],
    ['bin/setup', 'set_env SMTP=smtp.postmarkapp.com', '1:14 smtp.postmarkapp.com'],
    ['.env', 'DB=mongodb+srv://me:pw@shop.ab12.mongodb.net/x', '1:24 shop.ab12.mongodb.net'],
    [
      'src/db.py',
      'uri = f"mongodb+srv://{user}:{pw}@{cluster}.mongodb.net"',
      '1:35 {}.mongodb.net',
    ],
  ])('are found in %s: %s', (path, text, wanted) => {
    expect(findHosts(path, text)).toEqual([wanted])
  })

  it.each([
    ['mail.js', "const host = 'smtp.acme.io'"],
    ['mail.js', "// host: 'smtp.sendgrid.net'"],
    ['form.tsx', '<Input placeholder="smtp.sendgrid.net" />'],
    ['form.php', "'help' => 'smtp.mailgun.org'"],
    ['mail.js', "show('Use smtp.sendgrid.net for mail')"],
    ['README.md', '`smtp.sendgrid.net`'],
    ['test/mail.js', "const host = 'smtp.sendgrid.net'"],
    ['.env', '# SMTP=smtp.sendgrid.net'],
    ['.env', 'DB=mongodb://db.acme.io/x'],
  ])('are not seen in %s: %s', (path, text) => {
    expect(findHosts(path, text)).toEqual([])
  })

  it('are not seen in lists of the hosts of many services', () => {
    const names = ['sendgrid.net', 'mailgun.org', 'resend.com', 'zoho.com', 'brevo.com']
    const hosts = [...names, 'gmail.com', 'office365.com'].map((name) => `'smtp.${name}'`)
    expect(findHosts('a.js', hosts.slice(0, 3).join())).toHaveLength(3)
    expect(findHosts('a.js', hosts.join())).toEqual([])
  })

  it('are found once, with their vendor and without credentials', async () => {
    const { findings } = await scanFiles({
      '.env': 'SMTP_HOST=smtp.sendgrid.net\nDB_URL=mongodb+srv://me:pw@shop.mongodb.net\n',
    })
    expect(findings.map(({ line, url, vendorName }) => `${line} ${url} ${vendorName}`)).toEqual([
      '1 smtp.sendgrid.net SendGrid',
      '2 shop.mongodb.net MongoDB Atlas',
    ])
  })
})
