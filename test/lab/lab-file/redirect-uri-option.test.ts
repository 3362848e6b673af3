import { describe, expect, it } from 'vitest'
import { labConfigFrom, loadLabConfig } from '../../../src/lab/lab-file/config.js'
import { withOverrides } from '../../../src/lab/lab-file/overrides.js'
import { UsageError } from '../../../src/protocol/errors.js'

const builtIn = await loadLabConfig(null)
const withUris = (redirectUri: readonly string[], config = builtIn) =>
  withOverrides(config, { redirectUri, publicDiscovery: true, anonymous: true }, {})

/** The addresses that each client got beside its own. */
function added(redirectUri: readonly string[], config = builtIn) {
  const changed = withUris(redirectUri, config)
  const entries = config.clients.map(({ client_id: id, redirect_uris: before }, i) => {
    const after = changed.clients[i]?.redirect_uris ?? []
    expect(changed.effective.clients?.[i]?.redirect_uris ?? []).toEqual(after)
    expect(after.slice(0, before.length)).toEqual(before)
    return [id, after.slice(before.length)] as const
  })
  return Object.fromEntries(entries.filter(([, uris]) => uris.length > 0))
}

function problem(redirectUri: string, config = builtIn): string {
  try {
    withUris([redirectUri], config)
  } catch (error) {
    if (error instanceof UsageError) return [error.message, ...error.hints].join(' | ')
    throw error
  }
  throw new Error('it was taken')
}

describe('serve --redirect-uri', () => {
  it('adds an address to the demo clients, after their own', () => {
    const uri = 'http://localhost:9876/callback?a=b'
    expect(added([uri])).toEqual({ demo: [uri], 'demo-spa': [uri], 'demo-native': [uri] })
  })

  it('adds an address to one client, and may be repeated', () => {
    expect(added(['demo=https://a.example/', 'demo-public=x.y:/cb', 'demo=https://a.example/'])).toEqual({
      demo: ['https://a.example/'],
      'demo-public': ['x.y:/cb'],
    })
  })

  it('does not repeat an address, and changes nothing without one', () => {
    expect(added(['demo=http://127.0.0.1/callback'])).toEqual({})
    expect(added([])).toEqual({})
  })

  it('takes a client_id that looks like an address', async () => {
    const id = 'https://app.example/id?x=1'
    const entry = { client_id: id, redirect_uris: ['https://app.example/cb'] }
    const config = await labConfigFrom({ clients: [entry] }, 'test')
    expect(added([`${id}=https://app.example/b`], config)).toEqual({ [id]: ['https://app.example/b'] })
    expect(problem('https://app.example/b', config)).toContain('needs a client of this lab file')
  })

  it.each([
    ['demmo=https://a.example/', /no client "demmo" .*Did you mean demo/],
    ['http://a.example/cb', /plain http is only for .*RFC 9700 §2.6/],
    ['demo=javascript:alert(1)', /not an address to return to/],
    ['demo=', /not an absolute URI|character/],
    ['/callback', /not an absolute URI .*It looks like/],
    ['https://a.example/#x', /it has a fragment/],
  ])('refuses %s', (text, says) => expect(problem(text)).toMatch(says))
})
