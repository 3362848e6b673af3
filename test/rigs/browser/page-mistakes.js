// A single-page application that logs in by hand, and makes the mistake that its address names. At /callback it shows what it got.
const query = new URLSearchParams(location.search)
const base64url = bytes =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
const random = () => base64url(crypto.getRandomValues(new Uint8Array(32)))
const show = text => {
  const output = document.createElement('output')
  output.textContent = text
  document.body.append(output)
}

async function begin() {
  const saved = {
    issuer: query.get('issuer'),
    client: query.get('client'),
    mistake: query.get('mistake'),
    verifier: random(),
  }
  sessionStorage.setItem('login', JSON.stringify(saved))
  const metadata = await (await fetch(`${saved.issuer}/.well-known/openid-configuration`)).json()
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(saved.verifier))
  const parameters = {
    response_type: 'code',
    client_id: saved.client,
    redirect_uri: `${location.origin}/callback`,
    scope: 'openid',
    state: random(),
    nonce: random(),
    code_challenge: base64url(digest),
    code_challenge_method: 'S256',
  }
  location.href = `${metadata.authorization_endpoint}?${new URLSearchParams(parameters)}`
}

async function redeem({ issuer, client, mistake, verifier }) {
  const metadata = await (await fetch(`${issuer}/.well-known/openid-configuration`)).json()
  const form = {
    grant_type: 'authorization_code',
    code: query.get('code') ?? '',
    redirect_uri: `${location.origin}/callback`,
    client_id: client,
    code_verifier: mistake === 'verifier' ? random() : verifier,
  }
  if (mistake === 'no-verifier') delete form.code_verifier
  if (mistake === 'redirect') form.redirect_uri = `${location.origin}/callback/`
  if (mistake === 'secret') form.client_secret = 'a-secret-that-everybody-can-read'
  const send = () => fetch(metadata.token_endpoint, { method: 'POST', body: new URLSearchParams(form) })
  const answer = await send()
  if (mistake === 'twice') await send()
  const tokens = await answer.json()
  if (tokens.access_token === undefined) return show(tokens.error)
  const authorization = { authorization: `Bearer ${tokens.access_token}` }
  if (mistake === 'url') await fetch(`${location.origin}/api?access_token=${tokens.access_token}`)
  else await fetch(metadata.userinfo_endpoint, { headers: authorization })
  show('done')
}

const login = JSON.parse(sessionStorage.getItem('login') ?? 'null')
if (location.pathname !== '/callback') await begin()
else await redeem(login).catch(error => show(String(error)))
