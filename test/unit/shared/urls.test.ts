import { describe, expect, it } from 'vitest'
import { isIpAddress, isWebAddress } from '../../../core/shared/urls.ts'

describe('an address of a web host', () => {
  it.each([
    'https://api.example.com/v1?x=a b#c',
    'HTTP://user:secret@api.example.com:8080',
    'wss://[2001:db8::1]:443/live',
    '//cdn.example.com/x',
    'api.example.com/v1/users/{}',
    'api.example.com:8443',
    'db:8080/health',
    'http://localhost/',
    'https://{}/v1',
    '{}://api.example.com',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: as it stands in code
    '${config.base.url}/v1/charges',
    'https://%s.example.com:%d/',
    'https://münchen.example/',
    'https://my_service.example:/',
    'https://203.0.113.9/x',
  ])('is %s', (text) => expect(isWebAddress(text)).toBe(true))

  it.each([
    '',
    'x',
    'not a url',
    'https://',
    'https:///path',
    '/v1/users',
    '?q=a.b',
    'ftp://files.example.com/a',
    'file:///etc/passwd',
    'mailto:who@example.com',
    'who@example.com',
    'javascript:alert(1)',
    'data:text/html,<b>.</b>',
    'https://api.example.com:99999/',
    'https://api.example.com:8o/',
    'https://exa mple.com/',
    'https://api..example.com/',
    'https://"onload=x/',
    'https://{a b}/',
  ])('is not %j', (text) => expect(isWebAddress(text)).toBe(false))
})

describe('an IP address', () => {
  it.each(['203.0.113.9', '0.0.0.0', '::', '::1', '2001:DB8::10', '::ffff:192.0.2.1'])(
    'is %s',
    (text) => expect(isIpAddress(text)).toBe(true),
  )

  it.each(['', '1.2.3', '1.2.3.4.', '1.2.3.256', '01.2.3.4', '1.2.3.4.5', ':', ':::', '1::2::3'])(
    'is not %j',
    (text) => expect(isIpAddress(text)).toBe(false),
  )
})
