import { join } from 'node:path'
import { expect, it } from 'vitest'
import { describeWith, rigs } from '../../support/requires.js'
import { sharedLab } from '../../support/shared.js'
import { root } from '../../support/source-files.js'
import { printed, QUIET } from './client-program.js'

const example = join(root, 'examples/fapi2')
const lab = sharedLab(['--config', join(example, 'oauth-lab.yaml')])

/** Runs a program of this folder against the lab of examples/fapi2. */
const runs = (program: string) => printed(lab, program, [join(example, 'bank-key.json')], QUIET)

describeWith([rigs], 'clients of others under the FAPI 2.0 Security Profile', () => {
  it('openid-client 6: pushed requests, DPoP, private_key_jwt', { timeout: 60_000 }, async () => {
    expect(await runs('openid-client-fapi2.js')).toEqual({
      sub: 'alice',
      types: ['dpop', 'dpop', 'dpop'],
      same: true,
      sent: ['client_id', 'request_uri'],
      withoutProof: 'invalid_dpop_proof',
      withoutPkce: 'invalid_request',
    })
    const rules = (await lab.events()).flatMap(({ rule }) => (typeof rule === 'string' ? [rule] : []))
    for (const clause of ['5.3.2.1-4', '5.3.2.2-5']) {
      expect(rules).toContain(`FAPI 2.0 Security Profile §${clause}`)
    }
  })

  it('oauth4webapi: pushed requests, DPoP, private_key_jwt', { timeout: 60_000 }, async () => {
    expect(await runs('oauth4webapi-fapi2.js')).toEqual({
      sub: 'alice',
      type: 'dpop',
      userinfo: { sub: 'alice' },
      expires: 90,
    })
  })
})
