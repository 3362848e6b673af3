import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  challengeProblem,
  codeChallenge,
  verifierMatches,
  verifierProblem,
} from '../../../src/protocol/oauth/pkce.js'

// RFC 7636 Appendix B
const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'

describe('PKCE', () => {
  it('makes the challenge of RFC 7636 Appendix B', () => {
    expect(codeChallenge(verifier)).toBe(challenge)
    expect(codeChallenge(verifier, 'plain')).toBe(verifier)
    expect(verifierMatches(verifier, challenge, 'S256')).toBe(true)
  })

  it.each([
    [verifier, challenge, 'plain', false],
    [verifier, verifier, 'plain', true],
    [verifier, verifier, 'S256', false],
    [`${verifier}x`, challenge, 'S256', false],
    ['', challenge, 'S256', false],
    [verifier, '', 'S256', false],
    [verifier, `${challenge}=`, 'S256', false],
  ] as const)('compares %s with %s by %s', (sent, kept, method, matches) => {
    expect(verifierMatches(sent, kept, method)).toBe(matches)
  })

  it.each([
    [challenge, 'S256', undefined],
    [`${challenge}A`, 'S256', 'an S256'],
    [challenge.slice(1), 'S256', 'an S256'],
    [`${challenge.slice(1)}=`, 'S256', 'an S256'],
    [`${challenge.slice(1)}+`, 'S256', 'an S256'],
    [`${challenge}\n`, 'S256', 'an S256'],
    ['a'.repeat(43), 'plain', undefined],
    ['a'.repeat(128), 'plain', undefined],
    ['a'.repeat(129), 'plain', 'a plain'],
    ['a'.repeat(42), 'plain', 'a plain'],
    [challenge, 's256', 'code_challenge_method'],
    [challenge, 'S512', 'code_challenge_method'],
  ])('judges the challenge %j by %s', (sent, method, problem) => {
    const found = challengeProblem(sent, method)
    if (problem === undefined) expect(found).toBeUndefined()
    else expect(found).toContain(problem)
  })

  it.each([
    ['a'.repeat(43), true],
    ['a'.repeat(42), false],
    ['a'.repeat(129), false],
    [`${'a'.repeat(40)}-._~`, true],
    // git-credential-oauth sends standard base64
    [`${'a'.repeat(40)}+/==`, true],
    [`${'a'.repeat(43)} `, false],
    [`${'a'.repeat(43)}\n`, false],
    [`${'a'.repeat(43)}é`, false],
  ])('judges the verifier %j', (sent, good) => expect(verifierProblem(sent) === undefined).toBe(good))

  it('matches every verifier with its own challenge, which is always well-formed, and with no other', () => {
    const verifiers = fc.stringMatching(/^[A-Za-z0-9\-._~]{43,128}$/)
    fc.assert(
      fc.property(verifiers, verifiers, (mine, other) => {
        expect(verifierProblem(mine)).toBeUndefined()
        expect(challengeProblem(codeChallenge(mine), 'S256')).toBeUndefined()
        expect(verifierMatches(mine, codeChallenge(mine), 'S256')).toBe(true)
        expect(verifierMatches(other, codeChallenge(mine), 'S256')).toBe(other === mine)
      }),
      { numRuns: 50 },
    )
  })
})
