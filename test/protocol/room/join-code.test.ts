import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { participantId, readJoinCode, writeJoinCode } from '../../../src/protocol/room/join-code.js'
import { forAll } from '../../support/for-all.js'

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length })

describe('the code of a room', () => {
  it('is read as it was written, in any case and with any hyphens and spaces', async () => {
    const misread = { '0': 'o', '1': 'l' } as const
    await forAll(bytes(10), bytes(5), (fingerprint, secret) => {
      const code = writeJoinCode({ fingerprint, secret })
      expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}(?:-[0-9A-HJKMNP-TV-Z]{4}){5}$/)
      const typed = code.toLowerCase().replace(/-/g, ' ')
      const wrong = typed.replace(/[01]/g, each => misread[each as '0' | '1'])
      for (const text of [code, typed, ` ${wrong} `, code.replace(/-/g, '')]) {
        const read = readJoinCode(text)
        expect([...(read?.fingerprint ?? [])]).toEqual([...fingerprint])
        expect([...(read?.secret ?? [])]).toEqual([...secret])
      }
    })
  })

  it.each(['', 'K7QM', 'K7QM-3D9X-0000-0000-0000-000', 'K7QM-3D9X-0000-0000-0000-000U', '0'.repeat(200)])(
    'is not %j',
    text => expect(readJoinCode(text)).toBeUndefined(),
  )

  it('gives participants their numbers', () => {
    expect(participantId('K7QM-3D9X-0000-0000-0000-0000', 3)).toBe('K7-03')
    expect(participantId('K7QM-3D9X-0000-0000-0000-0000', 120)).toBe('K7-120')
  })
})
