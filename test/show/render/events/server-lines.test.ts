import { describe, expect, it } from 'vitest'
import { serverLines } from '../../../../src/show/render/events/server-lines.js'
import { signsFor } from '../../../../src/show/render/text/signs.js'
import { plainText } from '../../../../src/show/render/text/spans.js'
import { width } from '../../../../src/show/render/text/text.js'

const at = '2026-11-21T14:03:11.000Z'
const signs = signsFor({ ascii: false })
const drawn = (...events: Parameters<typeof serverLines>[0]) => serverLines(events, 60, signs).map(plainText)

describe('what the server decided', () => {
  it('says each decision with the rule that made it, and what was answered', () => {
    const lines = drawn(
      { type: 'code.redeemed', at, client_id: 'demo', code: 'k3V9…Qm1', scope: 'records:read' },
      {
        type: 'request.answered',
        at,
        site: 'authorization',
        method: 'POST',
        path: '/token',
        status: 200,
        ms: 14,
      },
    )
    expect(lines[0]).toMatch(/^✓ code\.redeemed {2,}RFC 6749 §4\.1\.3$/)
    expect(lines).toContain('  code       k3V9…Qm1')
    expect(lines.at(-1)).toMatch(/200 POST \/token authorization server .* 14 ms/)
  })

  it('says of a refusal the error, the reason and the rule of the event itself', () => {
    const lines = drawn({
      ...{
        type: 'token.refused',
        at,
        error: 'invalid_grant',
        description: 'the code is unknown',
        status: 400,
      },
      rule: 'RFC 6749 §5.2',
      evidence: 'code k3V9…Qm1',
      client_id: 'demo',
    })
    expect(lines[0]).toMatch(/^✗ token\.refused .*RFC 6749 §5\.2$/)
    expect(lines).toContain('  invalid_grant: the code is unknown')
    expect(lines).toContain('  it was code k3V9…Qm1')
  })

  it('shows the checks of a resource server one by one', () => {
    const checks = [{ name: 'aud', ok: false, rule: 'RFC 9068 §4', detail: 'for demo' }]
    expect(drawn({ type: 'resource.accepted', at, checks }).join('\n')).toMatch(
      /✗ aud {2}for demo .*RFC 9068 §4/,
    )
  })

  it('shows text from outside without its control characters', () => {
    const lines = drawn({
      type: 'login.failed',
      at,
      username: 'a\x1b[2J\u202eb',
      description: 'x\r\n',
      rule: '\x07',
    })
    expect(lines.join('\n')).not.toMatch(/[\x00-\x09\x0b-\x1f\u202e]/)
  })

  it('never is wider than its pane', () => {
    const long = 'x'.repeat(500)
    for (const line of drawn({ type: 'code.issued', at, code: long, [long]: long })) {
      expect(width(line)).toBeLessThanOrEqual(60)
    }
  })
})
