import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { recipes } from '../../../src/connect/recipes.js'
import { loadLabConfig } from '../../../src/lab/lab-file/config.js'
import { freePort } from '../../support/free-ports.js'
import { temporaryFolder } from '../../support/program.js'
import { pythonWith } from '../../support/python.js'
import { describeWith, rigs } from '../../support/requires.js'
import { type Serving, serve } from '../../support/serve.js'
import { loggedIn, servedLogin, startRecipe } from './recipe-run.js'

const folder = temporaryFolder()
let lab: Serving
beforeAll(async () => {
  // The built-in clients, and the one of each recipe that needs its own.
  const { effective } = await loadLabConfig(null)
  const own = recipes
    .filter(({ builtIn }) => builtIn === undefined)
    .map(({ name, secret, labFile }) => ({
      client_id: name,
      ...(secret ? { client_secret: `${name}-secret-0123456789abcdef0123456789` } : {}),
      ...labFile,
    }))
  const file = join(folder.path, 'lab.json')
  writeFileSync(file, JSON.stringify({ clients: [...(effective.clients ?? []), ...own] }))
  lab = await serve(['--config', file])
})
afterAll(async () => {
  await lab?.remove()
  folder.remove()
})

describeWith(['curl', 'jq'], 'the recipe of curl', () => {
  it('logs alice in by the device grant, and asks the resource server', async () => {
    const said = await loggedIn(lab, 'curl')
    expect(said).toContain('"sub":"alice"')
    expect(said).toContain('"name":"Alice Liddell"')
    expect(lab.events().map(({ type }) => type)).toContain('resource.accepted')
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
