// node --test examples/node-test.test.js
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, before, test } from 'node:test'
import { startLab } from 'oauth-lab'
import { createNotesApi } from './notes-api.js'

let lab
let api
let notes

before(async () => {
  lab = await startLab()
  // The API trusts the lab's CA for as long as the tests run. `lab.ca.pem` and `lab.ca.path` are for other clients.
  api = createNotesApi({ issuer: lab.issuer, fetch: lab.fetch }).listen(0, '127.0.0.1')
  await once(api, 'listening')
  notes = `http://127.0.0.1:${api.address().port}/`
})

after(async () => {
  api.close()
  await lab.stop()
})

const getNotes = token => fetch(notes, { headers: { authorization: `Bearer ${token}` } })

test('whoever logged in gets their notes', async () => {
  const { access_token: token } = await lab.login({ client: 'demo', user: 'bob', scope: 'openid' })
  const answer = await getNotes(token)
  assert.equal(answer.status, 200)
  assert.deepEqual(await answer.json(), { notesOf: 'bob' })
})

test('a token that has expired is good for nothing', async () => {
  const { access_token: token } = await lab.login({ user: 'alice', scope: 'openid' })
  lab.clock.advance('2h')
  assert.equal((await getNotes(token)).status, 401)
})
