import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { request as ask } from 'node:https'
import { dirname } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FlowError, type Lab, type LabEvent, startLab } from '../../../src/index.js'
import { decodeJwt } from '../../../src/protocol/tokens/decode.js'
import { temporaryFolder } from '../../support/program.js'

const claimsOf = (token: string) => decodeJwt(token).claims

/** A GET that trusts only `ca`. */
function statusOf(url: string, ca: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    ask(url, { ca, agent: false }, response => {
      response.resume()
      resolve(response.statusCode)
    })
      .on('error', reject)
      .end()
  })
}

let lab: Lab
beforeAll(async () => {
  lab = await startLab()
})
afterAll(() => lab.stop())

describe('a lab in a process', () => {
  it('listens on free ports, with a CA in memory until a program needs its file', async () => {
    const ports = Object.values(lab.urls).map(url => new URL(url).port)
    expect(Object.keys(lab.urls)).toEqual(['authorization', 'http', 'resource', 'cluster', 'dns'])
    expect(new Set(ports).size).toBe(ports.length)
    expect(lab.issuer).toBe(lab.urls.authorization)
    expect(await statusOf(`${lab.issuer}/.well-known/openid-configuration`, lab.ca.pem)).toBe(200)
    expect(readFileSync(lab.ca.path, 'utf8')).toBe(lab.ca.pem)
    expect(readdirSync(dirname(lab.ca.path))).toEqual(['ca.pem'])
  })

  it('logs in without a browser, and the resource server takes the token', async () => {
    const tokens = await lab.login({ client: 'demo', user: 'bob', scope: 'openid records:read' })
    expect(tokens).toMatchObject({ token_type: 'Bearer', expires_in: 3600, scope: 'openid records:read' })
    expect(claimsOf(tokens.id_token ?? '')).toMatchObject({ iss: lab.issuer, sub: 'bob', aud: 'demo' })
    const answer = await lab.fetch(`${lab.urls.resource}/resource`, {
      headers: { authorization: `Bearer ${tokens.access_token}` },
    })
    expect(answer.status).toBe(200)
    expect(await answer.json()).toMatchObject({ sub: 'bob', client_id: 'demo' })
  })

  it('numbers the events of its front page from the time on, above those of an earlier lab', async () => {
    const headers = { accept: 'text/html' }
    const before = Date.now() - 60_000
    await lab.fetch(`${lab.issuer}/`, { headers })
    const page = await (await lab.fetch(`${lab.issuer}/`, { headers })).text()
    expect(Number(/data-last="(\d+)"/.exec(page)?.[1])).toBeGreaterThan(before)
  })

  it('has a token for a service, and walks other flows', async () => {
    const { access_token: token } = await lab.clientCredentials({ client: 'demo-service' })
    expect(claimsOf(token)).toMatchObject({ sub: 'demo-service' })
    const names: string[] = []
    for await (const record of lab.flow('password', { client: 'demo-legacy', user: 'carol' })) {
      names.push(record.type === 'step' ? record.name : record.outcome)
    }
    expect(names.at(-1)).toBe('granted')
    expect(names).toContain('token_request')
  })

  it('walks many flows that wait under one signal, without a warning of a leak', async () => {
    const warnings: Error[] = []
    const warn = (warning: Error) => warnings.push(warning)
    process.on('warning', warn)
    const stop = new AbortController()
    let allowed = 0
    const outcomes = Array.from({ length: 12 }, async () => {
      let last = ''
      for await (const record of lab.flow('device', { signal: stop.signal })) {
        last = record.type === 'step' ? record.name : (record.error?.error ?? record.outcome)
        if (last === 'device_approval' && ++allowed === 12) setImmediate(() => stop.abort())
      }
      return last
    })
    expect(await Promise.all(outcomes)).toEqual(outcomes.map(() => 'interrupted'))
    process.off('warning', warn)
    expect(warnings).toEqual([])
  })

  it('reports a refusal with its rule and the steps before it', async () => {
    const wrong = lab.login({ user: { username: 'alice', password: 'guessed' } })
    await expect(wrong).rejects.toThrow(FlowError)
    await wrong.catch((error: FlowError) => {
      expect(error).toMatchObject({ error: 'login_failed', rule: expect.stringContaining('RFC 6749') })
      expect(error.steps.map(step => step.name)).toContain('login_form')
    })
    await expect(lab.login({ client: 'dmeo' })).rejects.toThrow(/no client "dmeo"; did you mean demo\?/)
    await expect(lab.login({ user: 'nobody' })).rejects.toThrow(/no user "nobody"/)
  })

  it('takes clients and users while it runs, and refuses wrong ones by name', async () => {
    await lab.login({ client: 'demo' })
    await lab.addClient({
      client_id: 'late',
      client_secret: 'a-secret-of-some-length',
      redirect_uris: ['https://app.example/callback'],
      grant_types: ['authorization_code', 'refresh_token'],
    })
    await lab.addUser({ username: 'dora', password: 'explorer', claims: { name: 'Dora' } })
    const tokens = await lab.login({ client: 'late', user: 'dora', scope: 'openid' })
    expect(claimsOf(tokens.id_token ?? '')).toMatchObject({ sub: 'dora', aud: 'late' })
    const answer = await lab.fetch(`${lab.urls.resource}/resource`, {
      headers: { authorization: `Bearer ${tokens.access_token}` },
    })
    expect(answer.status).toBe(200)
    await lab.addUser({ username: 'dora', password: 'another' })
    await expect(lab.login({ user: { username: 'dora', password: 'explorer' } })).rejects.toThrow(FlowError)
    await expect(lab.login({ user: 'dora' })).resolves.toBeDefined()
    // A client that is replaced keeps its place.
    await lab.addClient({
      client_id: 'demo',
      client_secret: 'another-secret-of-some-length',
      redirect_uris: ['http://127.0.0.1/callback'],
      grant_types: ['authorization_code'],
    })
    const tokensOfNew = await lab.login({ user: 'alice' })
    expect([claimsOf(tokensOfNew.access_token).aud, tokensOfNew.refresh_token]).toEqual(['demo', undefined])
    const unknownField = { client_id: 'x', secret: 'y' }
    await expect(lab.addClient(unknownField)).rejects.toThrow(/secret/)
    await lab.addUser({ username: 'erin', password: 'x' })
    const erin = { client_id: 'erin', redirect_uris: ['https://a.example/'] }
    await expect(lab.addClient(erin)).rejects.toThrow('"erin" is a username too')
    await expect(lab.addUser({ username: 'demo', password: 'x' })).rejects.toThrow(
      '"demo" is a client_id too',
    )
    await expect(lab.addClient({ client_id: 'x', redirect_uris: ['/relative'] })).rejects.toThrow(
      /redirect_uri/,
    )
  })

  it('fails at the named endpoint, as often as asked', async () => {
    lab.fail('token', 'temporarily_unavailable')
    await expect(lab.login()).rejects.toMatchObject({ error: 'temporarily_unavailable' })
    await expect(lab.login()).resolves.toBeDefined()
    const heal = lab.fail('token', 'invalid_grant', { times: Number.POSITIVE_INFINITY })
    await expect(lab.login()).rejects.toMatchObject({ error: 'invalid_grant' })
    await expect(lab.login()).rejects.toMatchObject({ error: 'invalid_grant' })
    heal()
    await expect(lab.login()).resolves.toBeDefined()
    const unknown = 'no_such_error' as 'invalid_grant'
    expect(() => lab.fail('token', unknown)).toThrow(/cannot be made to answer/)
  })

  it('reports events to listeners, to waiting calls, as a list and as an iterator', async () => {
    const seen: string[] = []
    const off = lab.events.on('code.issued', event => seen.push(event.code))
    const all: LabEvent['type'][] = []
    const offAll = lab.events.on('*', event => all.push(event.type))
    const waited = lab.events.next('token.issued')
    const before = lab.events.past('login.succeeded').length
    const iterator = lab.events[Symbol.asyncIterator]()
    await lab.login({ user: 'alice' })
    expect(await waited).toMatchObject({ sub: 'alice', grant_type: 'authorization_code' })
    expect(seen).toHaveLength(1)
    expect(lab.events.past('login.succeeded')).toHaveLength(before + 1)
    expect((await iterator.next()).value).toMatchObject({ type: all[0] })
    await iterator.return?.()
    expect(await iterator.next()).toMatchObject({ done: true })
    off()
    offAll()
    const heard = all.length
    await lab.clientCredentials()
    expect([seen.length, all.length]).toEqual([1, heard])
  })

  it('follows no redirect in fetch, posts forms, and knows no other CA', async () => {
    const redirect = await lab.fetch(`${lab.urls.http}/token?x=1`)
    expect([redirect.status, redirect.headers.get('location')]).toEqual([302, `${lab.issuer}/token?x=1`])
    const refused = await lab.fetch(`${lab.issuer}/token`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'authorization_code' }),
    })
    expect([refused.status, (await refused.json()) as unknown]).toMatchObject([
      400,
      { error: 'invalid_client' },
    ])
  })
})

describe('several labs in one process', () => {
  it('have keys, people and clocks of their own', async () => {
    const other = await startLab({
      config: { users: [{ username: 'zoe', password: 'zebra' }], lifetimes: { access_token: '5m' } },
      now: '2030-01-01T00:00:00Z',
    })
    try {
      expect(other.ca.pem).not.toBe(lab.ca.pem)
      await expect(statusOf(`${other.issuer}/`, lab.ca.pem)).rejects.toThrow()
      await expect(lab.login({ user: 'zoe' })).rejects.toThrow(/no user/)
      const tokens = await other.login()
      expect(tokens.expires_in).toBe(300)
      const { sub, iat } = claimsOf(tokens.access_token)
      expect([sub, new Date(Number(iat) * 1000).getUTCFullYear()]).toEqual(['zoe', 2030])
      expect(other.events.past('token.issued')[0]?.at).toMatch(/^2030-01-01T00:00/)

      const present = () =>
        other.fetch(`${other.urls.resource}/resource`, {
          headers: { authorization: `Bearer ${tokens.access_token}` },
        })
      expect((await present()).status).toBe(200)
      other.clock.advance('10m')
      expect((await present()).status).toBe(401)
      other.clock.set('2031-06-01')
      expect(new Date(other.clock.now()).getUTCFullYear()).toBe(2031)
      expect(() => other.clock.advance('soon')).toThrow(/not a duration/)
    } finally {
      await other.stop()
    }
  })

  it('repeat themselves with a seed', async () => {
    const codeOf = async () => {
      const seeded = await startLab({ seed: 7, now: '2030-01-01T00:00:00Z' })
      await seeded.login({ user: 'alice' })
      await seeded.stop()
      return seeded.events.past('code.issued')[0]?.code
    }
    expect(await codeOf()).toBe(await codeOf())
  })
})

describe('the stages', () => {
  it.each(['shared-secret', 'key-pair'] as const)(
    '%s: the client knows what is not published',
    async stage => {
      const early = await startLab({ config: { stage } })
      try {
        expect((await early.login({ client: 'demo', user: 'alice' })).access_token).toBeDefined()
      } finally {
        await early.stop()
      }
    },
  )
})

describe('the end of a lab', () => {
  it('ends waiting, removes the file of the CA, frees the ports, and may come twice', async () => {
    const short = await startLab()
    const { path } = short.ca
    const waiting = short.events.next('code.replayed')
    const reading = (async () => {
      for await (const event of short.events) expect(event.type).toBeDefined()
      return 'over'
    })()
    await short.stop()
    await short.stop()
    await expect(waiting).rejects.toThrow(/stopped before/)
    expect(await reading).toBe('over')
    expect(existsSync(path)).toBe(false)
    await expect(statusOf(`${short.issuer}/`, short.ca.pem)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })

  it('leaves a state folder that was asked for, with the same CA for the next lab', async () => {
    const folder = temporaryFolder()
    try {
      const pems: string[] = []
      for (let run = 0; run < 2; run++) {
        await using kept = await startLab({ home: folder.path })
        pems.push(readFileSync(kept.ca.path, 'utf8'))
      }
      expect(pems[0]).toBe(pems[1])
      expect(readdirSync(folder.path)).toContain('ca.pem')
    } finally {
      folder.remove()
    }
  })

  it('says what is wrong with a config, and whose port is busy', async () => {
    const misspelt: object = { client: [] }
    await expect(startLab({ config: misspelt })).rejects.toThrow(/startLab config.*client/)
    const port = Number(new URL(lab.issuer).port)
    await expect(startLab({ ports: { authorization: port } })).rejects.toMatchObject({ code: 'EADDRINUSE' })
  })
})
