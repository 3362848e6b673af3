import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { run, temporaryFolder } from '../../support/program.js'
import { describeWith, rigs } from '../../support/requires.js'
import { serve } from '../../support/serve.js'

const client_secret = 'a-secret-that-is-long-enough-0123456789'

describeWith([rigs], 'client_secret_jwt of other clients', () => {
  it('openid-client and oauth4webapi get tokens, and no other secret does', async () => {
    const folder = temporaryFolder()
    const file = join(folder.path, 'lab.json')
    const shared = {
      client_id: 'shared',
      client_secret,
      grant_types: ['client_credentials'],
      token_endpoint_auth_method: 'client_secret_jwt',
    }
    writeFileSync(file, JSON.stringify({ clients: [shared] }))
    const lab = await serve(['--config', file])
    try {
      const program = join(import.meta.dirname, 'client-secret-jwt.js')
      const args = [program, lab.ready.urls.authorization, client_secret]
      const env = { ...lab.env, NODE_EXTRA_CA_CERTS: lab.ready.ca, NODE_NO_WARNINGS: '1' }
      const { code, stdout, stderr } = await run(process.execPath, args, { env })
      expect([stderr, code]).toEqual(['', 0])
      expect(JSON.parse(stdout)).toEqual({ active: true, token_type: 'bearer', wrong: 400 })
    } finally {
      await lab.remove()
      folder.remove()
    }
  })
})
