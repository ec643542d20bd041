import { describe, expect, it } from 'vitest'
import { containsSecret } from '../../core/shared/secret-patterns.ts'

const FILL = 'a1B2c3D4e5F6g7H8i9J0k1L2'

describe('a text', () => {
  it.each([
    `Bearer ${FILL}`,
    `bearer ${FILL}`,
    `gh${'p_'}${FILL}`,
    `sk_${'live_'}${FILL}`,
    `{"header":"gh${'p_'}${FILL}"}`,
    `before eyJ${FILL}.${FILL}.${FILL}`,
  ])('holds a secret by its shape: %j', (text) => {
    expect(containsSecret(text)).toBe(true)
  })

  it.each([
    '',
    '7',
    'chair',
    'the bearer of news',
    'basic training',
    'task_live_view',
    '2026-11-22',
    'ghp_short',
    '0d6a4b1e-8c2f-4a57-9d3b-6f1e2c7a9b10',
  ])('holds none: %j', (text) => {
    expect(containsSecret(text)).toBe(false)
  })
})
