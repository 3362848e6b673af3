import { describe, expect, it } from 'vitest'
import { discover } from '../../src/client/discovery.js'
import type { HttpResponse } from '../../src/protocol/http/message.js'
import { jsonResponse, textResponse } from '../../src/protocol/http/message.js'
import { sendTo } from '../flows/support/world.js'

const issuer = 'https://as.test'
const document = { issuer, authorization_endpoint: `${issuer}/a`, token_endpoint: `${issuer}/t` }

function server(answers: Record<string, HttpResponse>) {
  const asked: string[] = []
  const send = sendTo({
    [issuer]: async ({ url }) => {
      asked.push(url)
      return answers[url.slice(issuer.length)] ?? textResponse(404, 'no')
    },
  })
  return { asked, send }
}

const openid = '/.well-known/openid-configuration'
const oauth = '/.well-known/oauth-authorization-server'

describe('discover', () => {
  it('requests OpenID Connect metadata first', async () => {
    const { asked, send } = server({ [openid]: jsonResponse(200, document) })
    expect(await discover(issuer, send)).toMatchObject(document)
    expect(asked).toEqual([issuer + openid])
  })

  it('falls back to RFC 8414', async () => {
    const { asked, send } = server({ [oauth]: jsonResponse(200, document) })
    expect(await discover(issuer, send)).toMatchObject(document)
    expect(asked).toEqual([issuer + openid, issuer + oauth])
  })

  it.each([
    ['nothing', {}, 'invalid_metadata', /publishes no metadata.*404/],
    [
      'a redirect',
      { [openid]: { status: 302, headers: [['location', '/x']], body: new Uint8Array() } },
      'invalid_metadata',
      /302/,
    ],
    [
      'another issuer',
      { [openid]: jsonResponse(200, { ...document, issuer: `${issuer}/` }) },
      'issuer_mismatch',
      /names the issuer/,
    ],
    ['HTML', { [openid]: textResponse(200, '<html>') }, 'invalid_response', /text\/plain/],
    [
      'a plain token endpoint',
      { [openid]: jsonResponse(200, { ...document, token_endpoint: 'http://as.test/t' }) },
      'invalid_metadata',
      /token_endpoint is not https/,
    ],
    [
      'an address that is none',
      { [openid]: jsonResponse(200, { ...document, jwks_uri: '/keys' }) },
      'invalid_metadata',
      /jwks_uri/,
    ],
  ])('refuses %s', async (_name, answers, code, message) => {
    const { send } = server(answers as Record<string, HttpResponse>)
    await expect(discover(issuer, send)).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message),
    })
  })
})
