import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { decodeJwt } from '../../../src/protocol/tokens/decode.js'
import { temporaryFolder } from '../../support/program.js'
import { chromiumNames, describeWith, rigs } from '../../support/requires.js'
import { type Serving, serve } from '../../support/serve.js'
import { openChromium, type TrustingBrowser } from './chromium.js'
import { type LogoutParty, startParty } from './logout-party.js'

type Party = 'near' | 'far'

describeWith([rigs, chromiumNames.join('|'), 'certutil'], 'logout in Chromium', () => {
  const folder = temporaryFolder()
  let parties: Readonly<Record<Party, LogoutParty>>
  let lab: Serving
  let issuer: string
  /** The profile of a person who allows cookies of other sites. */
  let profile: TrustingBrowser
  /** Private windows, which block cookies of other sites. */
  let windows: TrustingBrowser

  beforeAll(async () => {
    parties = { near: await startParty('localhost'), far: await startParty('127.0.0.1') }
    const clients = Object.entries(parties).map(([client_id, party]) => ({
      client_id,
      client_secret: `${client_id}-secret-0123456789abcdef0123456789`,
      redirect_uris: [party.callback],
      post_logout_redirect_uris: [party.loggedOut],
      frontchannel_logout_uri: `${party.frontChannel}?kept=a%20b`,
      response_types: ['code', 'id_token'],
    }))
    const file = join(folder.path, 'lab.json')
    writeFileSync(file, JSON.stringify({ clients }))
    lab = await serve(['--config', file])
    issuer = lab.ready.urls.authorization
    for (const party of Object.values(parties)) party.certify(join(lab.env.OAUTH_LAB_HOME ?? '', 'leaf.pem'))
    profile = await openChromium(lab.ready.ca, true)
    windows = await openChromium(lab.ready.ca)
  })
  afterAll(async () => {
    await profile?.close()
    await windows?.close()
    await lab?.remove()
    for (const party of Object.values(parties ?? {})) party.close()
    folder.remove()
  })

  /** Gets an id_token for a client, and logs alice in where the server asks. Returns the parameters of the answer. */
  async function logIn(page: Page, client_id: Party): Promise<URLSearchParams> {
    const { callback } = parties[client_id]
    const query = new URLSearchParams({
      response_type: 'id_token',
      client_id,
      redirect_uri: callback,
      scope: 'openid',
      nonce: 'n',
    })
    await page.goto(`${issuer}/authorization?${query}`)
    if (await page.locator('input[name=password]').count()) {
      await page.fill('input[name=username]', 'alice')
      await page.fill('input[name=password]', 'wonderland')
      await page.click('[type=submit]')
    } else if (await page.getByRole('button', { name: 'Allow' }).count()) {
      // An address of this computer could belong to any program, so the person is asked.
      await page.getByRole('button', { name: 'Allow' }).click()
    }
    await page.waitForURL(url => url.href.startsWith(callback))
    return new URLSearchParams(new URL(page.url()).hash.slice(1))
  }

  async function logOut(page: Page, by: Party, answer: URLSearchParams): Promise<void> {
    const { loggedOut } = parties[by]
    const query = new URLSearchParams({
      id_token_hint: answer.get('id_token') ?? '',
      post_logout_redirect_uri: loggedOut,
      state: 'b y&e',
    })
    await page.goto(`${issuer}/end-session?${query}`)
    await page.waitForURL(url => url.href.startsWith(loggedOut))
    expect(new URL(page.url()).searchParams.get('state')).toBe('b y&e')
  }

  it.each([
    // The party of another site gets its cookie only where the browser allows cookies of other sites.
    ['a profile that allows cookies of other sites', () => profile, true],
    ['a private window', () => windows, false],
  ])('informs both parties by frames with iss and sid, and goes on: %s', async (_title, browser, allowed) => {
    const { page, complaints } = await browser().open()
    const first = await logIn(page, 'near')
    await logIn(page, 'far')
    const { sid } = decodeJwt(first.get('id_token') ?? '').claims
    const seen = { near: parties.near.visits.length, far: parties.far.visits.length }
    await logOut(page, 'near', first)
    const visits = (name: Party) => parties[name].visits.slice(seen[name])
    expect(visits('near')).toEqual([{ iss: issuer, sid, hadCookie: true }])
    expect(visits('far')).toEqual([{ iss: issuer, sid, hadCookie: allowed }])
    expect(complaints).toEqual([])
    await page.goto(
      `${issuer}/authorization?response_type=id_token&client_id=near&scope=openid&nonce=n&prompt=none&${new URLSearchParams({ redirect_uri: parties.near.callback })}`,
    )
    expect(page.url()).toContain('error=login_required')
  })

  /** Opens the page of a party with the OP frame. Returns the function that asks it. */
  async function watch(page: Page, party: LogoutParty) {
    await page.goto(party.watching(`${issuer}/check-session`))
    return (message: unknown) => page.evaluate(`ask(${JSON.stringify(message)})`)
  }

  it('answers the page of the client by the OP frame: unchanged, changed after a logout, error', async () => {
    const { page, complaints } = await profile.open()
    const other = await profile.open()
    const near = await logIn(page, 'near')
    const far = await logIn(page, 'far')
    const states = { near: near.get('session_state'), far: far.get('session_state') }
    for (const name of ['near', 'far'] as const) {
      const ask = await watch(page, parties[name])
      const state = states[name]
      expect(await ask(`${name} ${state}`)).toBe('unchanged')
      // The same session at another client, and the origin of another client.
      expect(await ask(`other ${state}`)).toBe('changed')
      expect(await ask(`${name === 'near' ? 'far near' : 'near far'}`)).toBe('error')
      expect(await ask(`${name} ${states[name === 'near' ? 'far' : 'near']}`)).toBe('changed')
      for (const malformed of [
        '',
        name,
        `${name} `,
        `${name} ${state} more`,
        `${name} no-salt`,
        7,
        null,
        {},
      ]) {
        expect([malformed, await ask(malformed)]).toEqual([malformed, 'error'])
      }
    }
    const ask = await watch(page, parties.far)
    await logOut(other.page, 'near', near)
    expect(await ask(`far ${states.far}`)).toBe('changed')
    // Another login is another session.
    await logIn(other.page, 'near')
    expect(await ask(`far ${states.far}`)).toBe('changed')
    expect(complaints).toEqual([])
  })

  it('says changed to another site in a private window, which gets no cookie there', async () => {
    const { page } = await windows.open()
    const near = await logIn(page, 'near')
    const far = await logIn(page, 'far')
    expect(await (await watch(page, parties.near))(`near ${near.get('session_state')}`)).toBe('unchanged')
    expect(await (await watch(page, parties.far))(`far ${far.get('session_state')}`)).toBe('changed')
  })

  it('opens no OP frame on the page of a stranger', async () => {
    const stranger = await startParty('127.0.0.1')
    try {
      stranger.certify(join(lab.env.OAUTH_LAB_HOME ?? '', 'leaf.pem'))
      const { page, complaints } = await windows.open()
      await page.goto(stranger.watching(`${issuer}/check-session`))
      await page.waitForLoadState('load')
      expect(complaints.join()).toContain('frame-ancestors')
    } finally {
      stranger.close()
    }
  })
})
