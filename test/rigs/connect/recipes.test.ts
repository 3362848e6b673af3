import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeWith, rigs } from '../../support/requires.js'
import { type Serving, serve } from '../../support/serve.js'
import { loggedIn } from './recipe-run.js'

let lab: Serving
beforeAll(async () => {
  lab = await serve()
})
afterAll(() => lab.remove())

describeWith(['curl', 'jq'], 'the recipe of curl', () => {
  it('logs alice in by the device grant, and asks the resource server', async () => {
    const said = await loggedIn(lab, 'curl')
    expect(said).toContain('"sub":"alice"')
    expect(said).toContain('"name":"Alice Liddell"')
    expect(lab.events().map(({ type }) => type)).toContain('resource.accepted')
  }, 60_000)
})

describeWith([rigs], 'recipes of Node.js programs, run as they are printed', () => {
  it.each(['openid-client'])(
    '%s',
    async tool => {
      expect(await loggedIn(lab, tool)).toContain('Logged in as alice\n')
    },
    60_000,
  )
})
