import { describe, expect, it } from 'vitest'
import { isRegistered } from '../../../src/servers/kubernetes/emulator/resources.js'

describe('isRegistered', () => {
  it('knows kinds by their own version', () => {
    expect(isRegistered({ group: '', version: 'v1', kind: 'Pod' })).toBe(true)
    expect(isRegistered({ group: 'apps', version: 'v1', kind: 'Pod' })).toBe(false)
  })

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])('knows no version %s', version => {
    expect(isRegistered({ group: '', version, kind: 'Pod' })).toBe(false)
    expect(isRegistered({ group: '', version: 'v1', kind: version })).toBe(false)
  })
})
