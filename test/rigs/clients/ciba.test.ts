import { expect, it } from 'vitest'
import { describeWith, rigs } from '../../support/requires.js'
import { labWith, printed, QUIET } from './client-program.js'

const secret = 'secret-of-the-rig-0123456789abcdef0123456789'
const poller = {
  client_id: 'poller',
  client_secret: secret,
  grant_types: ['urn:openid:params:grant-type:ciba'],
  backchannel_token_delivery_mode: 'poll',
}
const { lab } = labWith({ registration: 'open', clients: [poller] })

const results = (program: string) => printed(lab, program, [], { ...QUIET, CIBA_SECRET: secret })

describeWith([rigs], 'backchannel authentication, asked by other clients', () => {
  it('openid-client 6: poll, ping after a registration, signed requests, denial and expiry', async () => {
    expect(await results('openid-client-ciba.js')).toEqual({
      poll: 'alice',
      refused: '400 access_denied',
      late: '400 expired_token',
      ping: 'alice',
      mode: 'ping',
      called: { bearer: true, type: 'application/json', id: true, members: ['auth_req_id'], others: 0 },
      replayed: '400 invalid_request',
      unsigned: '400 invalid_request',
      push: '400 invalid_client_metadata',
      unknown: '400 unknown_user_id',
    })
  })

  it('oauth4webapi: each message, and errors', async () => {
    expect(await results('oauth4webapi-ciba.js')).toEqual({
      interval: 5,
      pending: '400 authorization_pending',
      sub: 'alice',
      again: '400 invalid_grant',
      twoHints: '400 invalid_request',
      longMessage: '400 invalid_binding_message',
    })
  })
})
