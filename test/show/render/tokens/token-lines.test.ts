import { describe, expect, it } from 'vitest'
import type { StepToken } from '../../../../src/flows/step.js'
import { decodeJwt } from '../../../../src/protocol/tokens/decode.js'
import { explainToken } from '../../../../src/protocol/tokens/explain.js'
import { signsFor } from '../../../../src/show/render/text/signs.js'
import { plainText } from '../../../../src/show/render/text/spans.js'
import { tokenLines, tokenTicks } from '../../../../src/show/render/tokens/token-lines.js'

const NOW = Date.UTC(2026, 10, 21, 14, 3, 15)
const ISSUED = NOW / 1000 - 4

function token(claims: Readonly<Record<string, unknown>>, checks: StepToken['checks'] = []): StepToken {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const value = `${part({ alg: 'RS256', kid: '2hKqR8vTn5Wx9Qw' })}.${part(claims)}.c2lnbmF0dXJl`
  return { kind: 'access_token', value, explained: explainToken(decodeJwt(value)), checks }
}

function text(
  shown: StepToken,
  options: { now?: number; secrets?: boolean; rows?: number; columns?: number } = {},
) {
  const { now = NOW, secrets = false, rows = 40, columns = 40 } = options
  const view = { columns, now, showSecrets: secrets, rows, signs: signsFor({ ascii: false }) }
  return tokenLines(shown, view).map(line => plainText(line).trimEnd())
}

const good = token({ iss: 'https://as', aud: 'demo', iat: ISSUED, nbf: ISSUED - 30, exp: ISSUED + 3600 }, [
  { name: 'signature', ok: true, rule: 'RFC 7515 §5.2', detail: 'RS256, verified with key 2hKq' },
  { name: 'iss', ok: true, rule: 'RFC 7519 §4.1.1', detail: 'https://as' },
  { name: 'aud', ok: false, rule: 'RFC 7519 §4.1.3', detail: 'meant for somebody else' },
])

describe('a token', () => {
  it('is shown with verdicts, counting by the clock it is given', () => {
    expect(text(good)).toEqual([
      'alg RS256   kid 2hKq…9Qw',
      '✓ signature RS256, verified with key 2h…',
      '',
      'iss  https://as  ✓ this server',
      'aud  demo        ✗ meant for somebody else',
      'iat  14:03:11Z   4 s ago',
      'nbf  14:02:41Z   ✓ 34 s ago',
      'exp  15:03:11Z   ✓ 59 min 56 s left',
      '',
      '███████████████████████████████████  99%',
      '',
      'eyJh…XJl',
    ])
  })

  it.each([
    [ISSUED + 1800, 'exp  15:03:11Z   ✓ 30 min 0 s left', /^█{17}▌ +50%$/],
    [ISSUED + 3599.5, 'exp  15:03:11Z   ✓ 0.5 s left', /^▏ +0%$/],
    [ISSUED + 3600, 'exp  15:03:11Z   ✗ expired 0 s ago', /^ +0%$/],
    [ISSUED + 7300, 'exp  15:03:11Z   ✗ expired 1 h 1 min ago', /^ +0%$/],
  ])('at %d s', (now, exp, bar) => {
    const lines = text(good, { now: now * 1000 })
    expect(lines).toContain(exp)
    expect(lines.some(line => bar.test(line))).toBe(true)
  })

  it('that is not valid yet says when it will be', () => {
    expect(text(token({ nbf: NOW / 1000 + 90 }))).toContain('nbf  14:04:45Z  ✗ valid in 1 min 30 s')
  })

  it('names the day of a date that is not today', () => {
    expect(text(token({ exp: NOW / 1000 + 86_400 * 3 }))[3]).toBe('exp  2026-11-24 14:03:15Z  ✓ 3 d 0 h left')
  })

  it('says that nobody verified its signature, or that it is wrong', () => {
    expect(text(token({ sub: 'alice' }))[1]).toBe('○ signature not verified yet')
    const wrong = token({ sub: 'alice' }, [
      { name: 'signature', ok: false, rule: 'RFC 7515 §5.2', detail: 'not signed with key 1' },
    ])
    expect(text(wrong)[1]).toBe('✗ signature not signed with key 1')
  })

  it('in milliseconds keeps its numbers and gets a remark', () => {
    const lines = text(token({ iat: NOW - 4000, exp: NOW - 400 })).join('\n')
    expect(lines).toContain(`exp  ${NOW - 400}  ✗ expired 0.4 s ago`)
    expect(lines).toMatch(/! these dates are milliseconds/)
    expect(lines).toMatch(/RFC 7519 §2/)
  })

  it('keeps the countdown near the top, or beside exp, where lines are scarce', () => {
    expect(text(good, { rows: 11 }).indexOf(text(good)[9]!)).toBe(7)
    expect(text(good, { rows: 8 })[2]).toMatch(/^█+ +99%$/)
    expect(text(good, { rows: 8, columns: 78 })).toContain(
      'exp  15:03:11Z   ✓ 59 min 56 s left   ███████████████████████████████████  99%',
    )
  })

  it('is whole only when secrets are shown', () => {
    expect(text(good).join('')).not.toContain(good.value.slice(10, 30))
    expect(text(good, { secrets: true }).join('')).toContain(good.value)
  })

  it('that is opaque says so', () => {
    const opaque: StepToken = { kind: 'refresh_token', value: 'r'.repeat(40), checks: [] }
    expect(text(opaque)).toEqual(['opaque: only the server that issued it', 'can read it', 'rrrr…rrr'])
    expect(tokenTicks(opaque)).toBe(false)
    expect(tokenTicks(good)).toBe(true)
  })
})
