// A single-page application that logs in without a library, and makes the mistake that its address names. At / it begins, at every other
// path it shows how the login ended.
const query = new URLSearchParams(location.search)
const base64url = bytes =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
const random = (bytes = 32) => base64url(crypto.getRandomValues(new Uint8Array(bytes)))
const show = text => {
  const output = document.createElement('output')
  output.textContent = text
  document.body.append(output)
}

/** Fetches, and reads the body to its end: DevTools wait for the end of what they export. */
async function ask(url, options) {
  const response = await fetch(url, options)
  const text = await response.text()
  return text.startsWith('{') ? JSON.parse(text) : {}
}

/** The endpoints of the server: named by the address of the page, or published. */
async function endpointsOf({ issuer, endpoints }) {
  return issuer === undefined ? endpoints : await ask(`${issuer}/.well-known/openid-configuration`)
}

const begun = {
  plain: (parameters, { verifier }) =>
    Object.assign(parameters, { code_challenge: verifier, code_challenge_method: 'plain' }),
  'no-pkce': parameters => {
    delete parameters.code_challenge
    delete parameters.code_challenge_method
  },
  stray: parameters => Object.assign(parameters, { redirect_uri: `${location.origin}/elsewhere` }),
  scope: parameters => Object.assign(parameters, { scope: 'everything' }),
}
begun['no-challenge'] = begun['no-pkce']

async function begin() {
  const given = JSON.parse(query.get('login'))
  const saved = { ...given, verifier: random(given.mistake === 'short' ? 15 : 32) }
  sessionStorage.setItem('login', JSON.stringify(saved))
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(saved.verifier))
  const parameters = {
    response_type: 'code',
    client_id: saved.client,
    redirect_uri: `${location.origin}/callback`,
    scope: saved.scope,
    state: random(),
    ...(saved.issuer && { nonce: random() }),
    code_challenge: base64url(digest),
    code_challenge_method: 'S256',
  }
  begun[saved.mistake]?.(parameters, saved)
  const { authorization_endpoint: endpoint } = await endpointsOf(saved)
  location.href = `${endpoint}?${new URLSearchParams(parameters)}`
}

const redeemed = {
  verifier: form => form.set('code_verifier', random()),
  'no-verifier': form => form.delete('code_verifier'),
  redirect: form => form.set('redirect_uri', `${location.origin}/callback/`),
  secret: form => form.set('client_secret', 'a-secret-that-everybody-can-read'),
  code: form => form.set('code', `${form.get('code')}x`),
  client: form => form.set('client_id', 'another-page'),
}
redeemed['no-pkce'] = redeemed['no-verifier']

async function redeem(login) {
  const { mistake } = login
  const server = await endpointsOf(login)
  if (server.jwks_uri) await ask(server.jwks_uri)
  if (query.has('error')) return show(query.get('error'))
  const form = new URLSearchParams({
    grant_type: 'authorization_code',
    code: query.get('code') ?? '',
    redirect_uri: `${location.origin}/callback`,
    client_id: login.client,
    code_verifier: login.verifier,
  })
  redeemed[mistake]?.(form)
  const inUrl = mistake === 'secret-url' ? '?client_secret=a-secret-that-servers-log' : ''
  const post = body => ask(`${server.token_endpoint}${inUrl}`, { method: 'POST', body })
  const tokens = await post(form)
  if (mistake === 'twice') await post(form)
  if (tokens.access_token === undefined) return show(tokens.error)
  await use(login, server, tokens, post)
  show('done')
}

async function use({ mistake, client, pictures }, server, tokens, post) {
  const { access_token: token, refresh_token: refresh } = tokens
  const authorization = { authorization: `Bearer ${token}` }
  if (mistake === 'url') return ask(`${location.origin}/api?access_token=${token}`)
  await ask(server.userinfo_endpoint, { headers: authorization })
  const again = { grant_type: 'refresh_token', refresh_token: refresh, client_id: client }
  for (const _ of mistake === 'refresh' ? [1, 2] : []) await post(new URLSearchParams(again))
  if (mistake !== 'referer') return
  const image = new Image()
  image.referrerPolicy = 'unsafe-url'
  image.src = `${pictures}/pixel.svg`
  await new Promise(resolve => {
    image.onload = image.onerror = resolve
  })
}

const login = JSON.parse(sessionStorage.getItem('login') ?? 'null')
if (location.pathname === '/') await begin()
else await redeem(login).catch(error => show(String(error)))
