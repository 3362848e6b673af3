// A login of a program whose token request is sent by a client library: node recorded-login.js ISSUER LIBRARY MISTAKE.
// `child` is a server that renders pages in a process of its own, as Next.js does. Prints the status of the answer.
import { fork } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import https from 'node:https'
import { rootCertificates } from 'node:tls'
import axios from 'axios'
import { Agent, request } from 'undici'
import { logIn } from '../../e2e/clients/log-in.js'

const [issuer = '', library = '', mistake = ''] = process.argv.slice(2)
const ca = [...rootCertificates, readFileSync(process.env.NODE_EXTRA_CA_CERTS, 'utf8')]
const headers = { 'content-type': 'application/x-www-form-urlencoded' }

/** Sends a form and returns the status of the answer. */
const senders = {
  fetch: async (url, form) => (await fetch(url, { method: 'POST', body: new URLSearchParams(form) })).status,
  undici: async (url, body) => {
    const dispatcher = new Agent({ connect: { ca } })
    const answer = await request(url, { method: 'POST', headers, body, dispatcher })
    await answer.body.json()
    await dispatcher.close()
    return answer.statusCode
  },
  axios: async (url, form) => {
    return (await axios.post(url, new URLSearchParams(form), { validateStatus: () => true })).status
  },
  https: (url, form) =>
    new Promise((resolve, reject) => {
      const sent = https.request(url, { method: 'POST', headers }, answer => {
        answer.resume().on('end', () => resolve(answer.statusCode))
      })
      sent.on('error', reject)
      for (const piece of form.match(/.{1,20}/g)) sent.write(piece)
      sent.end()
    }),
  child: (url, form) =>
    new Promise(resolve => {
      const child = fork(process.argv[1], [url, 'page', form])
      child.on('message', resolve)
    }),
}

if (library === 'page') {
  process.send(await senders.fetch(issuer, mistake))
  process.disconnect()
} else {
  const redirect = 'http://127.0.0.1:7000/callback'
  const verifier = randomBytes(32).toString('base64url')
  const asked = new URL(`${issuer}/authorization`)
  asked.search = new URLSearchParams({
    response_type: 'code',
    client_id: 'demo-spa',
    redirect_uri: redirect,
    scope: 'openid',
    state: randomBytes(16).toString('base64url'),
    nonce: randomBytes(16).toString('base64url'),
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  }).toString()
  const landed = await logIn(asked)
  const form = new URLSearchParams({
    grant_type: 'authorization_code',
    client_id: 'demo-spa',
    code: landed.searchParams.get('code'),
    redirect_uri: mistake === 'redirect' ? `${redirect}/` : redirect,
    code_verifier: mistake === 'verifier' ? `${verifier}x` : verifier,
  }).toString()
  const statuses = [await senders[library](`${issuer}/token`, form)]
  if (mistake === 'twice') statuses.push(await senders[library](`${issuer}/token`, form))
  console.log(statuses.join(' '))
}
