import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runProgram } from '../../support/program.js'
import { describeWith, rigs } from '../../support/requires.js'
import { labWith, printed } from './client-program.js'

const MFA = 'urn:oauth-lab:acr:mfa'
const client = (id: string, more = {}) => ({
  client_id: id,
  client_secret: `${id}-secret-0123456789abcdef0123456789`,
  redirect_uris: ['http://127.0.0.1/callback'],
  require_pkce: false,
  ...more,
})
const { folder, lab } = labWith({ clients: [client('demo'), client('pair', { subject_type: 'pairwise' })] })

describeWith([rigs], 'client libraries ask for logins', () => {
  it('openid-client 6 and oauth4webapi: max_age, a step up (RFC 9470), a pairwise sub', async () => {
    const file = join(folder.path, 'lab.json')
    const otp = await runProgram(['user', 'otp', 'alice', '--config', file], { env: lab.env })
    expect(await printed(lab, 'step-up.js', [lab.ready.urls.resource, otp.stdout.trim()])).toEqual({
      acr: 'urn:oauth-lab:acr:pwd',
      challenge: {
        scheme: 'bearer',
        error: 'insufficient_user_authentication',
        acr_values: MFA,
        max_age: '300',
      },
      stronger: { acr: MFA, amr: ['pwd', 'otp', 'mfa'], status: 200 },
      introspected: { acr: MFA, auth_time: 'number' },
      pair: { opaque: true, email: 'alice@example.com' },
      subjects: ['public', 'pairwise'],
      tooOld: 'too much time has elapsed since the last End-User authentication',
    })
  })
})
