import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { UsageError } from '../../../src/protocol/errors.js'
import { checkedNetwork, networkSettings, warnInsecure } from '../../../src/session/options/network.js'
import { forAll } from '../../support/for-all.js'

const resolved = (entries: readonly string[], host: string, port = 443) =>
  checkedNetwork({ resolve: entries }).resolve?.(host, port)

describe('-H', () => {
  it('takes fields as they are, without the blanks around a value', () => {
    expect(checkedNetwork({ header: ['X-Api-Key:  a b\t', 'x-two: 1:2'] }).headers).toEqual([
      ['X-Api-Key', 'a b'],
      ['x-two', '1:2'],
    ])
  })

  it.each([
    ['no colon', 'X-Api-Key'],
    ['no value', 'X-Api-Key: '],
    ['no name', ': a'],
    ['a blank in the name', 'X Key: a'],
    ['a line end', 'X-Key: a\r\nEvil: 1'],
    ['a line end behind it', 'X-Key: a\n'],
    ['NUL', 'X-Key: a\0'],
    ['a letter outside of ASCII', 'X-Key: ä'],
    ...['Authorization', 'HOST', 'cookie', 'Content-Type', 'Content-Length', 'Transfer-Encoding', 'DPoP'].map(
      name => ['a field of the client', `${name}: a`],
    ),
  ])('refuses %s', (_what, text) => {
    expect(() => checkedNetwork({ header: [text] })).toThrow(UsageError)
  })

  it('repeats no value in a message', () => {
    const read = () => checkedNetwork({ header: ['Authorization: Bearer hush'] })
    expect(read).toThrow(expect.objectContaining({ message: expect.not.stringContaining('hush') }))
  })

  it('lets no text through that would end its line', () =>
    forAll(fc.string({ unit: 'binary' }), text => {
      try {
        for (const [name, value] of checkedNetwork({ header: [text] }).headers) {
          expect(`${name}: ${value}`).toMatch(/^[\t\x20-\x7e]+$/)
        }
      } catch (error) {
        expect(error).toBeInstanceOf(UsageError)
      }
    }))

  it('is for the origins of the server', () => {
    const { extraHeaders } = networkSettings(checkedNetwork({ header: ['X-A: 1'] }), [
      'https://id.example/realms/a',
      undefined,
      'https://token.example:8443/t',
    ])
    expect([...(extraHeaders?.origins ?? [])]).toEqual(['https://id.example', 'https://token.example:8443'])
    expect(networkSettings(checkedNetwork({}), ['https://id.example'])).toEqual({})
  })
})

describe('--resolve', () => {
  it.each([
    [['id.example:443:127.0.0.1'], 'id.example', ['127.0.0.1']],
    [['ID.example:443:127.0.0.1'], 'id.EXAMPLE', ['127.0.0.1']],
    [['id.example:443:[::1]'], 'id.example', ['::1']],
    [['id.example:443:::1'], 'id.example', ['::1']],
    [['id.example:443:192.0.2.1,127.0.0.1'], 'id.example', ['192.0.2.1', '127.0.0.1']],
    [['id.example:444:127.0.0.1'], 'id.example', undefined],
    [['other.example:443:127.0.0.1'], 'id.example', undefined],
    [['*:443:127.0.0.1'], 'id.example', ['127.0.0.1']],
    [['*:443:127.0.0.1', 'id.example:443:127.0.0.2'], 'id.example', ['127.0.0.2']],
    [['id.example:443:127.0.0.1', 'id.example:443:127.0.0.2'], 'id.example', ['127.0.0.2']],
  ])('%j sends %s to %j', (entries, host, addresses) => {
    expect(resolved(entries, host)).toEqual(addresses)
  })

  it.each([
    '',
    'a',
    'a:1',
    'a:0:127.0.0.1',
    'a:65536:127.0.0.1',
    'a:443:b',
    'a:443:1.2.3',
    'a:443:127.0.0.1,',
    'a b:443:127.0.0.1',
  ])('refuses %j', entry =>
    expect(() => checkedNetwork({ resolve: [entry] })).toThrow(/is not HOST:PORT:ADDRESS/),
  )
})

describe('--insecure', () => {
  const warned = (address: string, secretOf?: string) => {
    const lines: string[] = []
    warnInsecure(
      checkedNetwork({ insecure: true }),
      { address, secretOf },
      { narrate: line => lines.push(line) },
    )
    return lines.join('\n')
  }

  it('is said in each run, with the secret that it endangers', () => {
    expect(warned('https://localhost:8443')).toBe(
      'warning: --insecure: this run checks no certificate, that of localhost:8443 included.',
    )
    expect(warned('https://id.example', 'web')).toContain('the secret of client web')
    expect(warned('https://id.example')).toContain('passwords, codes and tokens')
  })

  it('is not said of any other run', () => {
    const narrate = () => expect.unreachable()
    warnInsecure(checkedNetwork({}), { address: 'https://id.example' }, { narrate })
  })
})
