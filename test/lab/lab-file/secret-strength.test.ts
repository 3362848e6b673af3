import { randomBytes, randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { likelyEntropy } from '../../../src/lab/lab-file/lab-file-remarks.js'

const base32 = (length: number) =>
  [...randomBytes(length)].map(byte => 'abcdefghijklmnopqrstuvwxyz234567'[byte & 31]).join('')

describe('the likely entropy', () => {
  it.each([
    ['hexadecimal, 16 bytes', () => randomBytes(16).toString('hex'), 128],
    ['hexadecimal in capitals', () => randomBytes(32).toString('hex').toUpperCase(), 256],
    ['Base64', () => randomBytes(24).toString('base64'), 192],
    ['base64url', () => randomBytes(32).toString('base64url'), 256],
    ['Base32', () => base32(32), 160],
    ['a UUID', () => randomUUID(), 122],
  ])('of a random secret is about that of its bytes: %s', (_, make, bits) => {
    const estimates = Array.from({ length: 200 }, () => likelyEntropy(make())).sort((a, b) => a - b)
    expect(estimates[100]).toBeGreaterThan(bits - 8)
    // One in fifty may look like a text of words.
    expect(estimates[4]).toBeGreaterThan(bits - 24)
  })

  it.each([
    ['', 0],
    ['a', 5],
    ['hunter2', 40],
    ['secret', 0],
    ['a'.repeat(200), 15],
    ['0123456789'.repeat(20), 25],
    ['s3cr3t-s3cr3t-s3cr3t', 65],
    ['client-secret-for-testing', 60],
    ['demo-secret-0123456789abcdef0123456789', 70],
    ['correct-horse-battery-staple', 70],
    ['CorrectHorseBatteryStapleAndManyWordsMore', 96],
    ['please-change-this-before-you-go-live', 110],
  ])('of %s is low', (secret, most) => expect(likelyEntropy(secret)).toBeLessThanOrEqual(most))
})
