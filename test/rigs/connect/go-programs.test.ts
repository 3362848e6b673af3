import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { decodeJwt } from '../../../src/protocol/tokens/decode.js'
import type { Serving } from '../../support/serve.js'
import { goPrograms, needs } from './connect-clients.js'
import { serveRecipes } from './recipe-lab.js'
import { browse, programsWithBrowser, startRecipe } from './recipe-run.js'

needs('go')('recipes of programs in Go, run as they are printed (npm run connect-clients)', () => {
  let lab: Serving
  beforeAll(async () => {
    lab = await serveRecipes()
  })
  afterAll(() => lab?.remove())

  it('step opens the browser of alice, and prints her tokens', async () => {
    const programs = programsWithBrowser(lab, goPrograms)
    const running = await startRecipe(lab, 'step', { programs: programs.path })
    try {
      const { code, stdout, stderr } = await running.ended
      expect(code, stderr).toBe(0)
      const { id_token: idToken, ...rest } = JSON.parse(stdout) as { id_token: string }
      expect(rest).toMatchObject({ token_type: 'Bearer', scope: 'openid profile email' })
      expect(decodeJwt(idToken).claims).toMatchObject({
        iss: lab.ready.urls.authorization,
        aud: 'demo-native',
        sub: 'alice',
      })
    } finally {
      await running.stop()
      programs.remove()
    }
  }, 60_000)

  it('oauth2-proxy lets alice in, and names her to the site behind it', async () => {
    const site = createServer(({ headers }, response) => {
      response.end(`${headers['x-forwarded-user']} ${headers['x-forwarded-email']}`)
    })
    await new Promise<void>(done => site.listen(0, '127.0.0.1', done))
    // The site of the recipe is on port 8080, which may be taken here.
    const env = { OAUTH2_PROXY_UPSTREAMS: `http://127.0.0.1:${(site.address() as AddressInfo).port}/` }
    const running = await startRecipe(lab, 'oauth2-proxy', { programs: goPrograms, env })
    try {
      const page = await browse(lab, 'http://127.0.0.1:4180/')
      expect(page, running.stderr()).toBe('200 alice alice@example.com\n')
    } finally {
      await running.stop()
      site.close()
    }
  }, 60_000)
})
