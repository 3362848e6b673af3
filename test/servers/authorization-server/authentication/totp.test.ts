import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { header, text } from '../../../../src/protocol/http/message.js'
import { parseTotpSecret, totpCode, totpCounter } from '../../../../src/protocol/oauth/totp.js'
import { createOneTimeCodes } from '../../../../src/servers/authorization-server/logins/one-time-codes.js'
import { forAll } from '../../../support/for-all.js'
import { landed, settings } from '../support.js'
import { codeAt, MFA, strongLab, TOTP_SECRET } from './strong-lab.js'

const secret = parseTotpSecret(TOTP_SECRET)!

describe('a one-time code (RFC 6238)', () => {
  // The vectors of Appendix B for SHA-1, which have eight digits.
  it.each([
    [59, '94287082'],
    [1111111109, '07081804'],
    [1111111111, '14050471'],
    [1234567890, '89005924'],
    [2000000000, '69279037'],
    [20000000000, '65353130'],
  ])('at %i s is %s', (seconds, code) => {
    expect(totpCode(secret, totpCounter(seconds * 1000), 8)).toBe(code)
    expect(totpCode(secret, totpCounter(seconds * 1000))).toBe(code.slice(2))
  })

  // The vectors of RFC 4226 Appendix D.
  it('has the values of RFC 4226', () => {
    const codes = '755224 287082 359152 969429 338314 254676 287922 162583 399871 520489'.split(' ')
    expect(codes.map((_, counter) => totpCode(secret, counter))).toEqual(codes)
  })

  it('has six digits for every secret and time', () =>
    forAll(fc.uint8Array({ minLength: 10, maxLength: 64 }), fc.nat(), (key, counter) => {
      const code = totpCode(key, counter)
      expect(code).toMatch(/^\d{6}$/)
      const message = Buffer.alloc(8)
      message.writeUInt32BE(counter, 4)
      const mac = createHmac('sha1', key).update(message).digest()
      const offset = mac.at(-1)! & 15
      expect(Number(code)).toBe(((mac.readUInt32BE(offset) << 1) >>> 1) % 1_000_000)
    }))
})

describe('a secret in base32 (RFC 4648 §6)', () => {
  it.each([TOTP_SECRET, TOTP_SECRET.toLowerCase(), 'GEZD GNBV GY3T QOJQ GEZD GNBV GY3T QOJQ'])(
    'is read from %s',
    written => {
      expect(Buffer.from(parseTotpSecret(written)!).toString()).toBe('12345678901234567890')
    },
  )

  it('may have padding', () => {
    expect(Buffer.from(parseTotpSecret('MFRGGZDFMZTWQ2LKNNWA====')!).toString()).toBe('abcdefghijkl')
  })

  it.each(['', 'AAAA', 'A'.repeat(17), 'GEZDGNBVGY3TQOJ1', 'GEZDGNBVGY3TQOJ8', 'A'.repeat(4000), '='])(
    'is refused: %j',
    written => expect(parseTotpSecret(written)).toBeUndefined(),
  )

  it('never throws', () => forAll(fc.string({ unit: 'binary' }), written => void parseTotpSecret(written)))
})

describe('the check of codes', () => {
  const alice = { ...settings.users[0]!, totp_secret: TOTP_SECRET }
  const bob = settings.users[1]!
  const start = Date.UTC(2030, 0, 1)

  it.each([
    [-2, 'wrong'],
    [-1, 'right'],
    [0, 'right'],
    [1, 'right'],
    [2, 'wrong'],
  ])('finds the code of %i periods later %s', (later, verdict) => {
    expect(createOneTimeCodes({ now: () => start })(alice, codeAt(start, later))).toBe(verdict)
  })

  it('accepts a code once, and none of an earlier period after it', () => {
    let now = start
    const check = createOneTimeCodes({ now: () => now })
    expect(check(alice, codeAt(now))).toBe('right')
    expect(check(alice, codeAt(now))).toBe('used')
    expect(check(alice, codeAt(now, -1))).toBe('used')
    expect(check(alice, codeAt(now, 1))).toBe('right')
    now += 30_000
    expect(check(alice, codeAt(now))).toBe('used')
    now += 30_000
    expect(check(alice, codeAt(now))).toBe('right')
  })

  it('keeps users apart, and accepts nothing for a user without a secret', () => {
    const check = createOneTimeCodes({ now: () => start })
    expect(check({ ...alice, username: 'carol' }, codeAt(start))).toBe('right')
    expect(check(alice, codeAt(start))).toBe('right')
    for (const code of ['', '000000', codeAt(start)]) expect(check(bob, code)).toBe('wrong')
  })
})

describe('the page for a code', () => {
  const asked = { acr_values: MFA }

  it('needs no script, names the user, and accepts a code with spaces', async () => {
    const { person, request, enter, clock } = strongLab()
    const page = await person.login(request(asked))
    expect(text(page.body)).toContain('autocomplete="one-time-code"')
    expect(text(page.body)).toContain('<strong>alice</strong>')
    expect(text(page.body)).not.toContain('<script')
    const code = codeAt(clock.now)
    expect(landed(await enter(page, asked, `${code.slice(0, 3)} ${code.slice(3)}`))).toHaveProperty('code')
  })

  it('comes again for a wrong code, and starts no session before a right one', async () => {
    const { person, request, enter, clock, events } = strongLab()
    const page = await person.login(request(asked))
    const again = await enter(page, asked, '000000')
    expect(again.status).toBe(200)
    expect(text(again.body)).toContain('This code is wrong')
    expect(events.at(-2)).toMatchObject({ type: 'second_factor.failed', reason: 'code', username: 'alice' })
    expect(landed(await person.authorize(request({ prompt: 'none' }))).error).toBe('login_required')
    expect(landed(await enter(again, asked, codeAt(clock.now)))).toHaveProperty('code')
    expect(landed(await person.authorize(request({ prompt: 'none', ...asked })))).toHaveProperty('code')
  })

  it('says that a code was used before', async () => {
    const made = strongLab()
    await made.loginTwice(asked)
    const page = await made.person.login(made.request({ ...asked, prompt: 'login' }))
    const again = await made.enter(page, { ...asked, prompt: 'login' }, codeAt(made.clock.now))
    expect(text(again.body)).toContain('This code was used before')
    expect(made.events.at(-2)).toMatchObject({ reason: 'used' })
    const next = await made.enter(again, { ...asked, prompt: 'login' }, codeAt(made.clock.now, 1))
    expect(landed(next)).toHaveProperty('code')
  })

  it('counts wrong codes like wrong passwords', async () => {
    const made = strongLab({ rateLimits: { ...settings.rateLimits, login: { attempts: 3, window: 60_000 } } })
    const page = await made.person.login(made.request(asked))
    for (const code of ['000001', '000002', '000003']) await made.enter(page, asked, code)
    const limited = await made.enter(page, asked, codeAt(made.clock.now))
    expect([limited.status, header(limited, 'retry-after')]).toEqual([429, '60'])
    made.clock.now += 60_000
    expect(landed(await made.enter(page, asked, codeAt(made.clock.now)))).toHaveProperty('code')
  })

  it('refuses a form of another browser, request or login', async () => {
    const made = strongLab()
    const page = await made.person.login(made.request(asked))
    const code = codeAt(made.clock.now)
    const forged = await made.enter(page, asked, code, { csrf: 'x' })
    expect(forged.status).toBe(403)
    const elsewhere = await made.enter(page, { ...asked, scope: 'openid records:write' }, code)
    expect(elsewhere.status).toBe(403)
    const unknown = await made.enter(page, asked, code, { second_factor: 'x' })
    expect(text(unknown.body)).toContain('Your login has ended')
  })

  it('ends after five minutes, and after one use', async () => {
    const made = strongLab()
    const page = await made.person.login(made.request(asked))
    made.clock.now += 300_000
    expect(text((await made.enter(page, asked, codeAt(made.clock.now))).body)).toContain(
      'Your login has ended',
    )
    const next = await made.person.login(made.request(asked))
    await made.enter(next, asked, codeAt(made.clock.now))
    made.clock.now += 60_000
    expect(text((await made.enter(next, asked, codeAt(made.clock.now))).body)).toContain(
      'Your login has ended',
    )
  })

  it('sends access_denied after Cancel', async () => {
    const made = strongLab()
    const page = await made.person.login(made.request(asked))
    expect(landed(await made.enter(page, asked, '', { cancel: 'yes' }))).toMatchObject({
      error: 'access_denied',
      state: 's',
    })
  })
})
