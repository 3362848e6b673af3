import { describe, expect, it } from 'vitest'
import { outcomeOf } from '../../src/flows/outcome.js'
import { TimeoutError, TransportError, UsageError } from '../../src/protocol/errors.js'
import { OAuthError } from '../../src/protocol/oauth/oauth-error.js'

const running = new AbortController().signal

describe('the outcome of an error', () => {
  it('is refused where a rule was broken', () => {
    const error = new OAuthError('invalid_grant', { description: 'expired', rule: 'RFC 6749 §5.2' })
    expect(outcomeOf(error, running)).toEqual({
      type: 'outcome',
      outcome: 'refused',
      error: { error: 'invalid_grant', error_description: 'expired', rule: 'RFC 6749 §5.2' },
    })
  })

  it('is failed, with the next moves of the error, where no answer came', () => {
    const hints = ['HTTPS_PROXY names the proxy. To go around it:   NO_PROXY=id.example']
    const error = new TransportError('cannot reach the proxy http://127.0.0.1:1', 'ECONNREFUSED', hints)
    expect(outcomeOf(error, running)).toEqual({
      type: 'outcome',
      outcome: 'failed',
      error: { error: 'ECONNREFUSED', error_description: 'cannot reach the proxy http://127.0.0.1:1', hints },
    })
  })

  it('is named timeout after a wait, and interrupted after a signal', () => {
    expect(outcomeOf(new TimeoutError('no answer within 1 s'), running).error).toEqual({
      error: 'timeout',
      error_description: 'no answer within 1 s',
    })
    expect(outcomeOf(new Error('anything'), AbortSignal.abort()).error?.error).toBe('interrupted')
  })

  it('does not hide a wrong option or a mistake of the program', () => {
    expect(() => outcomeOf(new UsageError('no such client'), running)).toThrow('no such client')
    expect(() => outcomeOf(new TypeError('x is undefined'), running)).toThrow(TypeError)
  })
})
