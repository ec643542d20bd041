import { describe, expect, it } from 'vitest'
import { stem } from '../../../core/shared/stem.ts'

const SAME: readonly string[] = [
  'payment payments',
  'create created creates creating',
  'invoice invoices invoicing',
  'address addresses',
  'status statuses',
  'policy policies',
  'query queries querying',
  'person people persons',
  'index indices indexes',
  'id ids',
  'organization organisation organizations organisations',
  'colour colors',
  'licence license licences',
  'cancelled canceled cancel',
  'fulfilment fulfillment fulfil',
  'analyse analyze analysing',
  'catalogue catalogs',
  'repository repositories repo repos',
  'organization org orgs',
  'message messages msg msgs',
  'transaction txn txns tx',
  'account acct accts',
  'configuration config cfg',
  'environment env envs',
  'vulnerability vulnerabilities vuln vulns',
  'image images img',
  'kubernetes k8s',
  'forex fx',
]

const APART: readonly string[] = [
  'new news',
  'universe university',
  'sms sm',
  'media medium',
  'rate rating',
  'custom customer',
  'set settings',
  'track tracking',
  'author authorize',
  'positive position',
]

describe('stem', () => {
  it.each(SAME)('maps %s to one stem', (words) => {
    expect(new Set(words.split(' ').map(stem)).size).toBe(1)
  })

  it.each(APART)('distinguishes %s', (words) => {
    expect(new Set(words.split(' ').map(stem)).size).toBe(2)
  })

  it('leaves short words, words with digits and other scripts unchanged', () => {
    const words = ['aws', 'gps', 'oauth2', 'погода', '天気']
    expect(words.map(stem)).toEqual(words)
  })
})
