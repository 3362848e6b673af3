import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { apacheNames, startApache } from '../support/apache.js'
import { freePort } from '../support/free-ports.js'
import { type Running, run, temporaryFolder } from '../support/program.js'
import { describeWith } from '../support/requires.js'
import { type Serving, serve } from '../support/serve.js'

// Read from a Basic header as it stands, and as a form writes it, this is not the same.
const secret = 'apache secret+with%2Bmarks'

describeWith(apacheNames, 'Apache with mod_auth_openidc', () => {
  const folder = temporaryFolder()
  let lab: Serving
  let apache: Running
  let page: string

  beforeAll(async () => {
    const port = await freePort()
    page = `https://localhost:${port}/page`
    const labFile = join(folder.path, 'lab.json')
    const client = {
      client_id: 'apache',
      client_secret: secret,
      redirect_uris: [`https://localhost:${port}/back`],
    }
    writeFileSync(labFile, JSON.stringify({ clients: [client] }))
    lab = await serve(['--config', labFile])
    apache = await startApache({
      lab,
      port,
      secret,
      folder: folder.path,
      clientId: 'apache',
      session: 'client-cookie',
      pages: { page: 'hello\n' },
    })
  })
  afterAll(async () => {
    apache?.child.kill('SIGTERM')
    await apache?.ended
    await lab?.remove()
    folder.remove()
  })

  it('lets alice in by the code flow with PKCE, and refuses a forged answer', async () => {
    const file = join(import.meta.dirname, 'clients/mod-auth-openidc.js')
    const { code, stdout, stderr } = await run(process.execPath, [file, page], {
      env: { ...lab.env, NODE_EXTRA_CA_CERTS: lab.ready.ca },
    })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(JSON.parse(stdout)).toEqual({
      asked: 'code',
      pkce: 'S256',
      home: true,
      status: 200,
      user: 'alice, Alice Liddell, alice@example.com',
      forged: [400, null],
    })
  })
})
