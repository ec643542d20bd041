import { describe, expect, it } from 'vitest'
import { readKev } from '../../../../core/vulnerabilities/feeds/kev.ts'
import { toChunks } from './bytes.ts'

const ENTRY = {
  cveID: 'CVE-2030-0001',
  vendorProject: 'Acme',
  product: 'Rocket',
  vulnerabilityName: 'Acme Rocket Launch',
  dateAdded: '2030-01-05',
  shortDescription: 'It starts.',
  requiredAction: 'Update it.',
  dueDate: '2030-01-26',
  knownRansomwareCampaignUse: 'Known',
  cwes: ['CWE-79'],
}

const KNOWN = {
  id: 'CVE-2030-0001',
  name: 'Acme Rocket Launch',
  addedOn: '2030-01-05',
  dueOn: '2030-01-26',
  action: 'Update it.',
  isRansomware: true,
}

describe('readKev', () => {
  it('reads the catalogue with its version and its malformed entries', async () => {
    const catalogue = {
      title: 'Known',
      catalogVersion: '2030.01.05',
      dateReleased: '2030-01-05T16:38:24.564Z',
      count: 5,
      vulnerabilities: [
        ENTRY,
        { ...ENTRY, cveID: 'CVE-2030-0002', knownRansomwareCampaignUse: 'Unknown' },
        { cveID: 'CVE-2030-0003', dateAdded: '2030-01-06' },
        { ...ENTRY, cveID: 'CVE-2030-0004', dateAdded: '05/01/2030' },
        { ...ENTRY, cveID: 'CVE-2030-0005', dueDate: 'soon' },
        { ...ENTRY, cveID: undefined },
        'entry',
      ],
    }
    expect(await readKev(toChunks(JSON.stringify(catalogue), [10]))).toEqual({
      entries: [
        KNOWN,
        { ...KNOWN, id: 'CVE-2030-0002', isRansomware: false },
        {
          id: 'CVE-2030-0003',
          name: '',
          addedOn: '2030-01-06',
          dueOn: '',
          action: '',
          isRansomware: false,
        },
      ],
      problems: [
        { id: 'CVE-2030-0004', message: 'Cannot read CVE-2030-0004: dateAdded must be a day' },
        { id: 'CVE-2030-0005', message: 'Cannot read CVE-2030-0005: dueDate must be a day' },
        { id: undefined, message: 'Cannot read an entry: cveID must be a string' },
        { id: undefined, message: 'Cannot read an entry: the entry must be an object' },
      ],
      version: '2030.01.05',
      releasedAt: Date.UTC(2030, 0, 5, 16, 38, 24, 564),
    })
  })

  it('returns the later of two entries with the same id', async () => {
    const document = JSON.stringify({ vulnerabilities: [ENTRY, { ...ENTRY, dueDate: '' }] })
    expect(await readKev(toChunks(document))).toEqual({
      entries: [{ ...KNOWN, dueOn: '' }],
      problems: [],
      version: '',
      releasedAt: undefined,
    })
  })

  it.each([
    ['{}', 'it is not a CISA catalogue'],
    ['{"vulnerabilities":[]}', 'it is not a CISA catalogue'],
    ['{"vulnerabilities":[{"id":"CVE-2030-0001"}]}', 'it is not a CISA catalogue'],
    ['{"vulnerabilities":[', 'it is truncated'],
  ])('rejects %s', async (document, reason) => {
    await expect(readKev(toChunks(document))).rejects.toThrow(`Cannot read the document: ${reason}`)
  })
})
