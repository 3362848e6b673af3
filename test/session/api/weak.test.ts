import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Lab, type LabEvent, startLab } from '../../../src/index.js'
import { WEAK_NAMES } from '../../../src/protocol/rules/weak-modes.js'

const NOTICE =
  'WEAK on purpose: accepts any redirect address; compresses its pages, which hold an unmasked secret beside text of the request; accepts tokens that nobody signed (alg none)'

const REQUEST = 'response_type=code&client_id=demo-public&state=s'

let lab: Lab
const events: LabEvent[] = []
beforeAll(async () => {
  lab = await startLab({ config: { weak: ['alg-none'] }, weak: ['no-mask', 'redirect-any'] })
  lab.events.on('*', event => events.push(event))
})
afterAll(() => lab.stop())

const textOf = async (url: string, headers: Record<string, string> = {}) =>
  (await lab.fetch(url, { headers })).text()

describe('a lab with weak modes', () => {
  it('adds those of the options to those of its lab file, and names all of them in every event', async () => {
    await lab.login({ client: 'demo', user: 'alice' })
    await textOf(`${lab.urls.cluster}/version`)
    await textOf(`${lab.urls.dns}/zones`)
    expect(new Set(events.map(event => JSON.stringify(event.weak)))).toEqual(
      new Set(['["redirect-any","no-mask","alg-none"]']),
    )
    expect(events.length).toBeGreaterThan(5)
  })

  it('shows their sentence on every page and greeting', async () => {
    const evil = encodeURIComponent('https://evil.example/')
    for (const path of [`/authorization?${REQUEST}&redirect_uri=${evil}`, '/device', '/authorization']) {
      expect(await textOf(lab.issuer + path)).toContain(`<strong>${NOTICE}</strong>`)
    }
    for (const site of [lab.issuer, lab.urls.resource])
      expect(await textOf(`${site}/`)).toMatch(`${NOTICE}\n`)
  })

  it('leaves answers for programs as they are', async () => {
    expect(await textOf(`${lab.issuer}/.well-known/openid-configuration`)).toMatch(/^\{.*\}$/)
    expect(await textOf(`${lab.urls.resource}/public`)).toMatch(/^\{.*\}$/)
    expect(await textOf(`${lab.issuer}/kb/2`)).toBe('a'.repeat(2048))
  })

  it('compresses its pages for no-mask', async () => {
    const answered = new Promise<LabEvent>(resolve => {
      lab.events.on('request.answered', event => event.path.startsWith('/device?') && resolve(event))
    })
    await textOf(`${lab.issuer}/device?once=1`, { 'accept-encoding': 'gzip' })
    expect(await answered).toMatchObject({ coding: 'gzip' })
  })

  it('reaches the resource server too: it shows what a forged token names', async () => {
    const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const claims = {
      iss: lab.issuer,
      aud: 'demo',
      sub: 'alice',
      exp: Math.floor(lab.clock.now() / 1000) + 60,
    }
    const authorization = `Bearer ${part({ alg: 'none' })}.${part(claims)}.`
    const answer = await lab.fetch(`${lab.urls.resource}/resource`, { headers: { authorization } })
    expect(await answer.json()).toMatchObject({ sub: 'alice' })
  })
})

describe('a lab', () => {
  it('without weak modes names none', async () => {
    await using strict = await startLab({ sites: [] })
    const answered = strict.events.next('request.answered')
    const answer = await strict.fetch(`${strict.issuer}/device`)
    expect(await answer.text()).not.toContain('WEAK')
    expect(await answered).not.toHaveProperty('weak')
  })

  it('refuses a mode that does not exist, with the nearest one', async () => {
    const wrong = { weak: ['redirect-ani'] } as unknown as { weak: ['redirect-any'] }
    await expect(startLab(wrong)).rejects.toMatchObject({
      message: 'startLab weak: there is no weak mode "redirect-ani"',
      hints: ['Did you mean redirect-any?', 'All of them:   oauth-lab weak list'],
    })
  })

  it('refuses weak modes beyond this machine, unless that is allowed, and with the profile reference', async () => {
    await expect(startLab({ weak: ['no-iss'], host: '0.0.0.0' })).rejects.toThrow(
      'weak modes (no-iss) are for this machine only, not for --host 0.0.0.0',
    )
    await expect(startLab({ weak: ['no-iss'], config: { profile: 'reference' } })).rejects.toThrow(
      'the profile reference has no weak modes (no-iss)',
    )
    await using open = await startLab({ weak: ['no-iss'], host: '0.0.0.0', weakAnywhere: true, sites: [] })
    expect(open.issuer).toMatch(/^https:/)
  })

  it('starts with every mode at once, and an honest login works', async () => {
    await using weakest = await startLab({ weak: WEAK_NAMES, sites: ['resource'] })
    const tokens = await weakest.login({ client: 'demo', user: 'alice', scope: 'openid records:read' })
    const answer = await weakest.fetch(`${weakest.urls.resource}/records`, {
      headers: { authorization: `Bearer ${tokens.access_token}` },
    })
    expect(answer.status).toBe(200)
  })
})
