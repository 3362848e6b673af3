// A login of a program whose token request is sent by a client library: node recorded-login.js ISSUER LIBRARY MISTAKE.
// `child` is a server that renders pages in a process of its own, as Next.js does, and `next` replaces fetch there too, as
// Next.js does for its cache. Prints the status of the answer.
import { fork } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import https from 'node:https'
import { rootCertificates } from 'node:tls'
import axios from 'axios'
import { Agent, request } from 'undici'
import { logIn } from '../../programs/clients/log-in.js'

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
  child: (url, form) => inPage('page', url, form),
  next: (url, form) => inPage('cached-page', url, form),
}

/** Sends the form in a process that renders pages. */
function inPage(kind, url, form) {
  return new Promise(resolve => {
    const child = fork(process.argv[1], [url, kind, form])
    child.on('message', resolve)
  })
}

/** Replaces fetch by one that keeps a copy of each answer under a key of the whole request, and takes options of its own. */
function cacheFetches() {
  const original = globalThis.fetch
  const kept = new Map()
  globalThis.fetch = async (input, { next = {}, ...init } = {}) => {
    const request = new Request(input, init)
    const body = await request.clone().arrayBuffer()
    const key = [request.method, request.url, Buffer.from(body).toString('base64')].join(' ')
    if (next.revalidate !== 0 && kept.has(key)) return kept.get(key).clone()
    const { method, headers: sent, signal } = request
    const answer = await original(request.url, { method, headers: sent, signal, body, cache: 'no-store' })
    const [shown, copied] = answer.body.tee()
    const { status, headers: got } = answer
    kept.set(key, new Response(await new Response(copied).arrayBuffer(), { status, headers: got }))
    return new Response(shown, { status, headers: got })
  }
  globalThis.fetch.__nextPatched = true
}

if (library === 'page' || library === 'cached-page') {
  if (library === 'cached-page') cacheFetches()
  const form = new URLSearchParams(mistake)
  const answer = await fetch(issuer, { method: 'POST', body: form, next: { revalidate: 0 } })
  await answer.json()
  process.send(answer.status)
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
