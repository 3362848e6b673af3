import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freePort } from '../../support/free-ports.js'
import { pythonWith } from '../../support/python.js'
import { describeWith, rigs } from '../../support/requires.js'
import type { Serving } from '../../support/serve.js'
import { serveRecipes } from './recipe-lab.js'
import { loggedIn, servedLogin, startRecipe } from './recipe-run.js'

let lab: Serving
beforeAll(async () => {
  lab = await serveRecipes()
})
afterAll(() => lab?.remove())

describeWith(['curl', 'jq'], 'the recipe of curl', () => {
  it('logs alice in by the device grant, and asks the resource server', async () => {
    const said = await loggedIn(lab, 'curl')
    expect(said).toContain('"sub":"alice"')
    expect(said).toContain('"name":"Alice Liddell"')
    expect((await lab.events()).map(({ type }) => type)).toContain('resource.accepted')
  }, 60_000)
})

describeWith([rigs], 'recipes of Node.js programs, run as they are printed', () => {
  it.each(['openid-client', 'msal'])(
    '%s',
    async tool => {
      expect(await loggedIn(lab, tool)).toContain('Logged in as alice\n')
    },
    60_000,
  )

  it.each([
    ['passport', 'alice'],
    ['authjs', 'Alice Liddell'],
  ])(
    '%s, which serves pages',
    async (tool, name) => {
      const env = { PORT: String(await freePort()) }
      expect(await servedLogin(lab, tool, { env })).toBe(`200 Logged in as ${name}\n`)
    },
    60_000,
  )
})

describeWith([rigs], 'the collection of Postman', () => {
  it('is run by newman, by the lines as they are printed', async () => {
    const programs = join(import.meta.dirname, '../node_modules/.bin')
    const running = await startRecipe(lab, 'postman', { programs })
    try {
      const { code, stdout } = await running.ended
      expect(code, stdout).toBe(0)
      for (const name of ['metadata', 'token', 'records']) expect(stdout).toContain(`↳ ${name}\n`)
      expect(stdout.match(/✓ {2}status 200/g)).toHaveLength(3)
    } finally {
      await running.stop()
    }
  }, 60_000)
})

describeWith(['python3'], 'recipes of Python programs, run as they are printed', () => {
  let programs: string | undefined
  beforeAll(async () => {
    const python = await pythonWith('connect-clients', join(import.meta.dirname, 'requirements.txt'))
    programs = python === undefined ? undefined : dirname(python)
  }, 300_000)

  it.for(['requests-oauthlib', 'google-auth', 'msal-python'])(
    '%s',
    { timeout: 60_000 },
    async (tool, { skip }) => {
      if (programs === undefined) return skip('its packages cannot be installed from PyPI')
      // MSAL warns that it recommends form_post.
      const env = { PYTHONWARNINGS: 'ignore::UserWarning' }
      expect(await loggedIn(lab, tool, { programs, env })).toContain('Logged in as alice\n')
    },
  )

  it('authlib, which serves pages', async ({ skip }) => {
    if (programs === undefined) return skip('its packages cannot be installed from PyPI')
    const env = { PORT: String(await freePort()) }
    expect(await servedLogin(lab, 'authlib', { programs, env })).toBe('200 Logged in as alice\n')
  }, 60_000)
})
