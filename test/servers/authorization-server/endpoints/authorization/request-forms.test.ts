import { describe, expect, it } from 'vitest'
import { bytes, text } from '../../../../../src/protocol/http/message.js'
import { codeRequest, FORM, ISSUER, lab, landed, type Parameters, query } from '../../support.js'

const MAX_REQUEST = 12 * 1024

/** The query of a request with this many characters. */
const ofLength = (length: number) => {
  const start = `${query(codeRequest())}&state=`
  return start + 'x'.repeat(length - start.length)
}

describe('an authorization request', () => {
  it.each([
    ['GET', MAX_REQUEST, 200],
    ['GET', MAX_REQUEST + 1, 400],
    ['POST', MAX_REQUEST, 200],
    ['POST', MAX_REQUEST + 1, 400],
  ])('by %s of %i characters is answered %i', async (method, length, status) => {
    const { get, post } = lab()
    const sent = ofLength(length)
    const page = await (method === 'GET' ? get(`/authorization?${sent}`) : post('/authorization', sent))
    expect(page.status).toBe(status)
    expect(text(page.body).includes('longer than')).toBe(status === 400)
  })

  it('limits a submitted login form by its own limit only', async () => {
    const page = await lab().login(codeRequest(), { password: 'x'.repeat(MAX_REQUEST + 1) })
    expect(page.status).toBe(200)
    expect(text(page.body)).toContain('Username or password is wrong')
  })

  it('by POST may have parameters in its query, but none of them twice', async () => {
    const { post, events } = lab()
    const page = await post(`/authorization?${query({ state: 'x', scope: 'openid' })}`, codeRequest())
    expect(page.status).toBe(200)
    expect(events[0]).toMatchObject({ type: 'authorization.requested', scope: 'openid' })
    const twice = await post('/authorization?response_type=code&state=x', codeRequest())
    expect(landed(twice)).toMatchObject({ error: 'invalid_request', state: 'x' })
  })

  it('by POST is refused when its query cannot be decoded', async () => {
    const { post } = lab()
    const answer = landed(await post('/authorization?nonce=%zz', codeRequest({ state: 'x' })))
    expect(answer).toMatchObject({ error: 'invalid_request', state: 'x' })
    expect(answer.error_description).toContain('cannot be decoded')
    expect((await post(`/authorization?${'&a=b'.repeat(201)}`, codeRequest())).status).toBe(400)
  })

  it('names each ignored parameter once', async () => {
    const { get, events } = lab()
    await get(
      `/authorization?${query(codeRequest())}&display=page&display=en&resource=https://api.example&registration=`,
    )
    expect(events[0]).toMatchObject({ type: 'authorization.requested', ignored: ['display'] })
  })

  it.each<[says: string, parameters: Parameters, accepted: boolean]>([
    ['a nonce of 512 characters', { nonce: 'n'.repeat(512) }, true],
    ['a nonce of 513 characters', { nonce: 'n'.repeat(513) }, false],
    ['a thumbprint', { dpop_jkt: `aZ09-_${'x'.repeat(37)}` }, true],
    ['a thumbprint that is too short', { dpop_jkt: 'x'.repeat(42) }, false],
    ['a thumbprint that is too long', { dpop_jkt: 'x'.repeat(44) }, false],
    ['a thumbprint after a space', { dpop_jkt: ` ${'x'.repeat(43)}` }, false],
    ['a thumbprint in plain Base64', { dpop_jkt: `+${'x'.repeat(42)}` }, false],
  ])('with %s', async (_name, parameters, accepted) => {
    const answer = await lab().authorize(codeRequest(parameters))
    expect(answer.status).toBe(accepted ? 200 : 302)
    if (!accepted) expect(landed(answer).error).toBe('invalid_request')
  })

  it('of an unverified address is refused for its unreadable part first', async () => {
    const { get, events } = lab()
    const request = query(codeRequest({ redirect_uri: 'https://evil.example/', request: 'e30.e30.' }))
    await get(`/authorization?${request}&state=%zz`)
    await get(`/authorization?${request}`)
    await get('/authorization?client_id=%zz')
    expect(events).toMatchObject([
      { error: 'invalid_request', rule: 'RFC 6749 Appendix B', client_id: 'demo' },
      { error: 'invalid_request_object', client_id: 'demo' },
      { error: 'invalid_request', rule: 'RFC 6749 Appendix B' },
    ])
    for (const event of events) expect(event).not.toHaveProperty('differences')
  })

  it.each(['id_token', 'id_token token'])('for %s leaves offline_access out', async type => {
    const { authorize, events } = lab()
    const request = { client_id: 'demo-spa', response_type: type, nonce: 'n' }
    await authorize(codeRequest({ ...request, scope: 'openid offline_access' }))
    expect(events[0]).toMatchObject({ type: 'authorization.requested', scope: 'openid' })
  })
})

describe('the Referer of a login form', () => {
  const parameters = codeRequest({ state: 'from referer' })
  const attempt = async (referer: string, target = '/authorization', url = ISSUER) => {
    const { openForm, handle } = lab()
    const { csrf, cookies } = await openForm(parameters)
    return handle({
      method: 'POST',
      url: `${url}${target}`,
      headers: [FORM, ...cookies, ['referer', referer]],
      body: bytes(query({ username: 'alice', password: 'wonderland', csrf })),
    })
  }
  const page = `${ISSUER}/authorization?${query(parameters)}`

  it.each([
    ['of the issuer', page, ISSUER],
    ['of the host that was asked', page.replace(ISSUER, 'http://lab.test'), 'http://lab.test'],
  ])('counts when it is a page %s', async (_name, referer, url) => {
    expect(landed(await attempt(referer, '/authorization', url))).toMatchObject({ state: 'from referer' })
  })

  it('does not count when the address has a query, nor behind another scheme', async () => {
    expect((await attempt(page, '/authorization?scope=openid')).status).toBe(400)
    expect((await attempt(`view-source:${page}`)).status).toBe(400)
  })
})
