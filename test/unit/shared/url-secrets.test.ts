import { describe, expect, it } from 'vitest'
import { redactUrlSecrets } from '../../../core/shared/url-secrets.ts'

const HEX = '0d9f3b7a1c5e42688b90a4e1f7d2c36b'
const UUID = '3c2b7f50-9a41-4d0e-8f6b-1d5a7c9e2b40'
const RANDOM = 'h7Qd-2mVx9LkT4_bWz8RcN3yJpE6sUaF'

describe('a URL with a secret', () => {
  it.each([
    [`https://mainnet.example/v3/${HEX}`, 'https://mainnet.example/v3/{}'],
    [`https://rpc.example/eth/${HEX}${HEX}`, 'https://rpc.example/eth/{}'],
    [
      `https://events.example/integration/${HEX}/enqueue`,
      'https://events.example/integration/{}/enqueue',
    ],
    [
      `https://calendar.example/ical/a%40b/private-${HEX}/basic.ics`,
      'https://calendar.example/ical/a%40b/private-{}/basic.ics',
    ],
    [
      `https://outlook.office.com/webhook/${UUID}@${UUID}/IncomingWebhook/${HEX}/${UUID}`,
      'https://outlook.office.com/webhook/{}/{}/{}/{}',
    ],
    [
      `https://acme.webhook.office.com/webhookb2/${UUID}@${UUID}/IncomingWebhook/${HEX}/${UUID}`,
      'https://acme.webhook.office.com/webhookb2/{}/{}/{}/{}',
    ],
    [`https://node.example/v2/${RANDOM}`, 'https://node.example/v2/{}'],
    [
      'https://hooks.zapier.com/hooks/catch/1234567/b3xk9q/',
      'https://hooks.zapier.com/hooks/catch/{}/{}/',
    ],
    [
      `https://maker.example/trigger/done/with/key/${RANDOM}`,
      'https://maker.example/trigger/done/with/key/{}',
    ],
    ['https://chat.example/hooks/xen5kq9gtp8r7yu3zm1w6c4abd', 'https://chat.example/hooks/{}'],
    [`https://api.example/keys/${HEX}.json`, 'https://api.example/keys/{}.json'],
    ['https://api.example/v1?k=AKIAABCDEFGHIJKLMNOP', 'https://api.example/v1?k={}'],
    [
      `https://api.example/v1?k=${HEX}&client_id=${HEX}&id=${HEX}&userId=${HEX}`,
      `https://api.example/v1?k={}&client_id=${HEX}&id=${HEX}&userId=${HEX}`,
    ],
    [
      `https://api.example/v1;jsessionid=${HEX}?PHPSESSID=${HEX}&tokenid=${HEX}&auth_id=${HEX}`,
      'https://api.example/v1;jsessionid={}?PHPSESSID={}&tokenid={}&auth_id={}',
    ],
    [
      'https://api.example/v1?access_key_id=a&pass=b',
      'https://api.example/v1?access_key_id={}&pass={}',
    ],
    [
      'https://ada:pw@api.example/v1?api_key=abc&page=2',
      'https://api.example/v1?api_key={}&page=2',
    ],
  ])('%s is redacted', (url, expected) => {
    expect(redactUrlSecrets(url)).toBe(expected)
  })
})

describe('a URL without a secret', () => {
  it.each([
    'https://api.example/2010-04-01/Accounts/{}/Messages.json',
    'https://api.example/v1/getCustomerSubscriptionsV2ByCustomerIdentifier',
    'https://sns.example/AmazonEC2ContainerServiceV20141113/DescribeClusters',
    'https://api.example/v1/getForecast5Days3HourV2Data',
    'https://api.example/repos/acme/berth-manager-2/actions/workflows',
    `https://api.example/orders/${UUID}`,
    'https://cdn.example/assets/main.0d9f3b7a1c5e42688b90a4e1f7d2c36b.js',
    'https://api.example/accounts/12345678901234567890123456789012',
  ])('%s stays', (url) => {
    expect(redactUrlSecrets(url)).toBe(url)
  })

  it('is read in time proportional to its length', () => {
    const url = `https://a.example/${'aB1-'.repeat(200_000)}.`
    expect(redactUrlSecrets(url)).toBe(url)
  })
})
