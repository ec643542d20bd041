import { Buffer } from 'node:buffer'
import { createCipheriv, createHash, createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createAes128 } from '../../../../core/traffic/capture/crypto/aes128.ts'
import { decryptGcm } from '../../../../core/traffic/capture/crypto/gcm.ts'
import { hmacSha256, sha256 } from '../../../../core/traffic/capture/crypto/sha256.ts'
import { deriveInitialKeys, getSalts } from '../../../../core/traffic/capture/quic-keys.ts'
import { hex } from '../../../helpers/packets.ts'
import { createSeededRandom } from '../../../helpers/random.ts'

const random = createSeededRandom(5)

describe('AES-128', () => {
  it('encrypts the block of FIPS-197, appendix B', () => {
    const output = new Uint8Array(16)
    const cipher = createAes128(hex('2b7e151628aed2a6abf7158809cf4f3c'))
    cipher.encryptBlock(hex('3243f6a8885a308d313198a2e0370734'), { start: 0, output })
    expect(output).toEqual(hex('3925841d02dc09fbdc118597196a0b32'))
  })

  it('encrypts the block of FIPS-197, appendix C.1', () => {
    const output = new Uint8Array(16)
    const cipher = createAes128(hex('000102030405060708090a0b0c0d0e0f'))
    cipher.encryptBlock(hex('ff00112233445566778899aabbccddeeff'), { start: 1, output })
    expect(output).toEqual(hex('69c4e0d86a7b0430d8cdb78070b4c55a'))
  })
})

describe('AES-GCM', () => {
  it.each([0, 1, 16, 31, 1183])('decrypts %i bytes encrypted by the runtime', (length) => {
    const { key, sealed, plain, nonce, associated } = seal(length)
    expect(decryptGcm(createAes128(key), { nonce, associated, ciphertext: sealed })).toEqual(plain)
  })

  it('rejects modified messages', () => {
    const { key, sealed, nonce, associated } = seal(40)
    sealed[3] = (sealed[3] ?? 0) ^ 1
    expect(decryptGcm(createAes128(key), { nonce, associated, ciphertext: sealed })).toBeUndefined()
  })

  it('rejects messages shorter than a tag', () => {
    const { key, nonce, associated } = seal(1)
    const sealed = new Uint8Array(15)
    expect(decryptGcm(createAes128(key), { nonce, associated, ciphertext: sealed })).toBeUndefined()
  })
})

describe('SHA-256', () => {
  it.each([0, 1, 55, 56, 63, 64, 65, 1000])('digests %i bytes like the runtime', (length) => {
    const data = random(length)
    const key = random(length % 100)
    expect(sha256(data)).toEqual(bytes(createHash('sha256').update(data).digest()))
    expect(hmacSha256(key, data)).toEqual(bytes(createHmac('sha256', key).update(data).digest()))
  })
})

describe('keys of QUIC Initial packets', () => {
  it('equal those of RFC 9001, appendix A.1', () => {
    const [salt = new Uint8Array(0)] = getSalts(1)
    const keys = deriveInitialKeys({ salt, connectionId: hex('8394c8f03e515708'), version: 1 })
    expect(keys.iv).toEqual(hex('fa044b2f42a3fd3b46fb255c'))
    const mask = new Uint8Array(16)
    const sample = hex('d1b1c98dd7689fb8ec11d242b123dc9b')
    keys.headerCipher.encryptBlock(sample, { start: 0, output: mask })
    expect(mask.subarray(0, 5)).toEqual(hex('437b9aec36'))
    const known = createAes128(hex('1f369613dd76d5467730efcbe3b1a22d'))
    const [ours, theirs] = [keys.cipher, known].map((cipher) => {
      const output = new Uint8Array(16)
      cipher.encryptBlock(sample, { start: 0, output })
      return output
    })
    expect(ours).toEqual(theirs)
  })

  it('equal those of RFC 9369, appendix A.1, for version 2', () => {
    const version = 0x6b3343cf
    const [salt = new Uint8Array(0)] = getSalts(version)
    const keys = deriveInitialKeys({ salt, connectionId: hex('8394c8f03e515708'), version })
    expect(keys.iv).toEqual(hex('91f73e2351d8fa91660e909f'))
  })

  it('are empty for unknown versions', () => {
    expect(getSalts(0x12345678)).toEqual([])
    expect(getSalts(0xff000010)).toEqual([])
  })
})

function seal(length: number) {
  const key = random(16)
  const nonce = random(12)
  const plain = random(length)
  const associated = random((length % 40) + 1)
  const cipher = createCipheriv('aes-128-gcm', key, nonce)
  cipher.setAAD(associated)
  const text = [cipher.update(plain), cipher.final()]
  const sealed = bytes(Buffer.concat([...text, cipher.getAuthTag()]))
  return { key, nonce, plain, associated, sealed }
}

function bytes(buffer: Buffer): Uint8Array {
  return Uint8Array.from(buffer)
}
