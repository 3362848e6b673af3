import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findRecipe, loadRecipes } from '../../../src/commands/connect/recipes.js'
import { freePort } from '../../support/free-ports.js'
import { runProgram, temporaryFolder } from '../../support/program.js'
import { type Serving, serve } from '../../support/serve.js'
import { needs } from './connect-clients.js'
import { browse, type RecipeRun, startRecipe, untilServed } from './recipe-run.js'
import { springBootJar } from './spring-boot-jar.js'

const SECRET = 'spring-boot-secret-0123456789abcdef0123456789'

needs('java')('the recipe of Spring Boot, run as it is printed (npm run connect-clients)', () => {
  const folder = temporaryFolder()
  let lab: Serving
  let application: RecipeRun
  let at = ''

  beforeAll(async () => {
    const { name, client: needed } = findRecipe(await loadRecipes(), 'spring-boot')!
    const port = await freePort()
    at = `http://localhost:${port}`
    const client = {
      client_id: name,
      client_secret: SECRET,
      ...needed,
      // The recipe is for Spring's port 8080, and this run has another one.
      redirect_uris: [...needed.redirect_uris, `${at}/login/oauth2/code/oauth-lab`],
      post_logout_redirect_uris: [at],
      backchannel_logout_uri: `${at}/logout/connect/back-channel/oauth-lab`,
    }
    const other = { client_id: 'other', client_secret: SECRET, grant_types: ['client_credentials'] }
    const file = join(folder.path, 'lab.json')
    writeFileSync(file, JSON.stringify({ clients: [client, other], lifetimes: { access_token: '50s' } }))
    lab = await serve(['--config', file])
    const jwt = 'SPRING_SECURITY_OAUTH2_RESOURCESERVER_JWT'
    application = await startRecipe(lab, name, {
      files: { 'app.jar': await springBootJar(folder.path, lab.env) },
      env: {
        SERVER_PORT: String(port),
        JDK_JAVA_OPTIONS: '-XX:TieredStopAtLevel=1',
        [`${jwt}_ISSUER_URI`]: lab.ready.urls.authorization,
        [`${jwt}_AUDIENCES`]: name,
      },
      limit: 240_000,
    })
    await untilServed(application, at, 200_000)
  }, 240_000)
  afterAll(async () => {
    await application?.stop()
    await lab?.remove()
    folder.remove()
  })

  const events = async (type: string) => (await lab.events()).filter(event => event.type === type)

  it('logs alice in with PKCE, and Spring takes her ID token', async () => {
    expect(await browse(lab, `${at}/me`)).toBe('200 Logged in as alice, who is Alice Liddell\n')
    expect(await events('authorization.requested')).toMatchObject([
      { client_id: 'spring-boot', pkce: 'S256' },
    ])
  })

  it('refreshes the token of alice, and takes the ID token that comes with it', async () => {
    expect(await browse(lab, `${at}/me`, `${at}/token`)).toMatch(/^200 ey/)
    expect((await events('token.issued')).at(-1)).toMatchObject({
      grant_type: 'refresh_token',
      id_token: true,
    })
  })

  it('accepts a token for the client at its API, and refuses one for another audience', async () => {
    const asked = async (token: string) => {
      const answer = await fetch(`${at}/api`, { headers: { authorization: `Bearer ${token.trim()}` } })
      return `${answer.status} ${answer.headers.get('www-authenticate') ?? (await answer.text())}`
    }
    const page = await browse(lab, `${at}/me`, `${at}/token`)
    expect(await asked(page.slice('200 '.length))).toBe('200 Token of alice')
    const args = ['flow', 'client-credentials', '--client', 'other', '-o', 'token']
    const { code, stdout, stderr } = await runProgram(args, { env: lab.env })
    expect(code, stderr).toBe(0)
    expect(await asked(stdout)).toMatch(/^401 Bearer error="invalid_token".*aud claim/)
  })

  it('logs alice out at the lab when she logs out of the application', async () => {
    expect(await browse(lab, `${at}/me`, `${at}/logout`)).toBe('200 Nobody is logged in\n')
    expect(await events('session.ended')).toMatchObject([{ username: 'alice', client_id: 'spring-boot' }])
  })

  it('ends the session of the application when alice logs out at the lab', async () => {
    const { authorization } = lab.ready.urls
    expect(await browse(lab, `${at}/me`, at)).toBe('200 Logged in as alice\n')
    const pages = [`${at}/me`, `${authorization}/end-session`, at]
    expect(await browse(lab, ...pages)).toBe('200 Nobody is logged in\n')
    expect((await events('logout_token.accepted')).at(-1)).toMatchObject({
      client_id: 'spring-boot',
      attempt: 1,
    })
  })
})
