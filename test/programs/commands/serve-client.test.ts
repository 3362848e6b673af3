import { afterEach, describe, expect, it } from 'vitest'
import { type Serving, serve } from '../../support/serve.js'

let lab: Serving | undefined
afterEach(async () => {
  await lab?.remove()
})

describe('oauth-lab serve', () => {
  it.each([
    ['keeps the demo client closed', [], false],
    ['opens the demo client by its option', ['--client-port', '0'], true],
    ['opens the demo client by a weak mode of it', ['--weak', 'open-redirect'], true],
    ['keeps it closed for a weak mode of another server', ['--weak', 'no-iss'], false],
  ])('%s', async (_, args, open) => {
    lab = await serve(args)
    expect(lab.ready.urls.client !== undefined).toBe(open)
  })
})
