import { describe, expect, it } from 'vitest'
import { type Header, header, text } from '../../../../../src/protocol/http/message.js'
import { generateDpopKey, makeDpopProof } from '../../../../../src/protocol/tokens/dpop.js'
import { browser } from '../../browser.js'
import {
  basic,
  CALLBACK,
  codeRequest,
  countedRandom,
  expectError,
  ISSUER,
  json,
  lab,
  landed,
  type Parameters,
  query,
  SECRET,
  settings,
} from '../../support.js'

const DEMO = basic('demo', SECRET)
const [dpopKey, otherKey] = [await generateDpopKey(), await generateDpopKey()]
const random = countedRandom()

describe('a pushed authorization request', () => {
  const world = () => {
    const server = lab()
    const proof = async (path: string, key = dpopKey): Promise<Header> => {
      const about = { method: 'POST', url: `${ISSUER}${path}` }
      return ['dpop', await makeDpopProof(key, about, { now: () => server.clock.now, random })]
    }
    const push = async (more: Parameters, headers: readonly Header[] = []) =>
      server.post('/par', { ...codeRequest(), ...more }, [DEMO, ...headers])
    /** Opens the pushed request, logs in, and returns the code. */
    const codeOf = async (pushed: Awaited<ReturnType<typeof push>>) => {
      const reference = { client_id: 'demo', request_uri: String(json(pushed).request_uri) }
      return landed(await browser(server).login(reference)).code ?? ''
    }
    return { ...server, proof, push, codeOf }
  }

  it.each<[name: string, sent: Parameters]>([
    ['no thumbprint', {}],
    ['an empty thumbprint', { dpop_jkt: '' }],
    ['the thumbprint of the key', { dpop_jkt: dpopKey.jkt }],
  ])('with a proof and %s binds its code to the key (RFC 9449 §10.1)', async (_name, sent) => {
    const { proof, push, codeOf, redeem } = world()
    const pushed = await push(sent, [await proof('/par')])
    expect(pushed.status).toBe(201)
    const code = await codeOf(pushed)
    expectError(await redeem(code), 400, 'invalid_grant')
    expectError(await redeem(code, {}, [DEMO, await proof('/token', otherKey)]), 400, 'invalid_grant')
    expect((await redeem(code, {}, [DEMO, await proof('/token')])).status).toBe(200)
  })

  it('is refused with a proof of another key than dpop_jkt, and with a bad proof', async () => {
    const { proof, push, events } = world()
    const other = await push({ dpop_jkt: otherKey.jkt }, [await proof('/par')])
    expectError(other, 400, 'invalid_dpop_proof')
    expect(events.at(-1)).toMatchObject({ type: 'push.refused', client_id: 'demo', rule: 'RFC 9449 §10.1' })
    expectError(await push({}, [await proof('/token')]), 400, 'invalid_dpop_proof')
    const nonces = lab({ dpopNonceRequired: true })
    expect(header(await nonces.post('/par', codeRequest(), [DEMO]), 'dpop-nonce')).toMatch(/^[\w-]{22}$/)
  })

  it('does not contain the credentials of its client', async () => {
    const server = lab()
    const pushed = await server.post('/par', { ...codeRequest(), client_secret: SECRET })
    await server.authorize({ client_id: 'demo', request_uri: String(json(pushed).request_uri) })
    const opened = server.events.find(each => each.type === 'authorization.requested')
    expect(opened).toMatchObject({ client_id: 'demo', redirect_uri: CALLBACK })
    expect(opened).not.toHaveProperty('ignored')
  })

  it('whose client was disabled meanwhile is used up', async () => {
    const clients = [...settings.clients]
    const demo = clients.find(each => each.client_id === 'demo')!
    const server = lab({ clients })
    const pushed = json(await server.post('/par', codeRequest(), [DEMO]))
    const agent = browser(server)
    const visit = () => agent.authorize({ client_id: 'demo', request_uri: String(pushed.request_uri) })
    clients.push({ ...demo, enabled: false })
    await visit()
    clients.push(demo)
    expect(text((await visit()).body)).toContain('invalid_request_uri')
  })

  it('is named once', async () => {
    const { push, get, events } = world()
    const named = query({ request_uri: String(json(await push({})).request_uri) })
    const page = await get(`/authorization?client_id=demo&${named}&${named}`)
    expect(page.status).toBe(400)
    expect(text(page.body)).toContain('request_uri is repeated')
    expect(events.at(-1)).toMatchObject({ type: 'authorization.refused', rule: 'RFC 9126 §4' })
    expect((await get(`/authorization?client_id=demo&${named}`)).status).toBe(200)
  })
})
