import { generateKeyPairSync } from 'node:crypto'
import { dirname, join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { bytes, text } from '../../../src/protocol/http/message.js'
import { startLab } from '../../../src/session/api/start-lab.js'
import { createBrowser } from '../../servers/demo-client/browser.js'
import { freePort } from '../../support/free-ports.js'
import { startIssuer } from '../../support/issuer.js'
import { cleanEnv, runProgram, temporaryFolder } from '../../support/program.js'
import { describeWith, rigs } from '../../support/requires.js'

describeWith([rigs], 'the demo client and oidc-provider', () => {
  it('log a person in, keep a note, and end the session by a logout token', { timeout: 60_000 }, async () => {
    const folder = temporaryFolder()
    const env = cleanEnv(folder.path)
    // The state folder has the CA of the lab, which signed the certificate of the other server too.
    const ca = (await runProgram(['ca', 'path'], { env })).stdout.trim()
    const home = dirname(ca)
    const port = await freePort()
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const callback = `https://localhost:${port}/callback/provider`
    const args = [join(home, 'leaf.pem'), JSON.stringify(publicKey.export({ format: 'jwk' })), callback]
    const { issuer, stop } = await startIssuer('oidc-provider-people.js', args, {
      ...env,
      NODE_EXTRA_CA_CERTS: ca,
    })
    const secret = 'notes-secret-0123456789abcdef0123456789'
    const entry = { name: 'provider', issuer, client_id: 'notes', client_secret: secret }
    const config = { demo_client: { issuers: [entry] } }
    const lab = await startLab({ home, sites: ['client'], ports: { client: port }, config })
    const browser = createBrowser({
      now: Date.now,
      at: lab.urls.client,
      reaches: origin => [lab.urls.client, issuer].includes(origin),
      async handle({ method, url, headers, body }) {
        const response = await lab.fetch(url, {
          method,
          headers: headers.map(([name, value]): [string, string] => [name, value]),
          ...(method === 'POST' && { body: text(body) }),
        })
        return { status: response.status, headers: [...response.headers], body: bytes(await response.text()) }
      },
    })
    const login = await browser.get('/login?issuer=provider')
    const consent = await browser.submit(login, '', { login: 'olga', password: 'any' })
    const notes = await browser.submit(consent, '')
    expect([notes.url, notes.text]).toEqual([
      `${lab.urls.client}/notes`,
      expect.stringContaining('Notes of olga'),
    ])
    expect((await browser.submit(notes, '/notes', { text: 'from afar' })).body).toContain('from afar')
    const [loggedIn] = lab.events.past('demo_client.logged_in')
    expect(loggedIn).toMatchObject({ issuer, sub: 'olga', client_id: 'notes' })
    expect(loggedIn?.checks.filter(({ ok }) => !ok)).toEqual([])

    // The person logs out at oidc-provider, which tells the client (Back-Channel Logout §2.5).
    const question = await browser.get(`${issuer}/session/end`)
    await browser.submit(question, '/session/end/confirm', { logout: 'yes' })
    await vi.waitFor(() => expect(lab.events.past('demo_client.logout_accepted')).toHaveLength(1), 20_000)
    const [ended] = lab.events.past('demo_client.logout_accepted')
    expect(ended).toMatchObject({ channel: 'back', issuer, sid: expect.stringMatching(/./) })
    expect(ended?.checks?.filter(({ ok }) => !ok)).toEqual([])
    expect((await browser.get('/notes')).body).not.toContain('from afar')
    await lab.stop()
    await stop()
    folder.remove()
  })
})
