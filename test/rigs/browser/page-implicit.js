// The implicit flow without a library, as old single-page applications did it. At /?issuer=… it sends the browser to
// log in; at /callback it takes the tokens from the fragment, checks them and shows the result as JSON.
const base64url = text =>
  Uint8Array.from(atob(text.replace(/[-_]/g, c => (c === '-' ? '+' : '/'))), c => c.charCodeAt(0))
const part = text => JSON.parse(new TextDecoder().decode(base64url(text)))
const issuer = new URLSearchParams(location.search).get('issuer') ?? sessionStorage.getItem('issuer')
const discovery = await fetch(`${issuer}/.well-known/openid-configuration`)
const server = await discovery.json()

/** Whether a key that the server publishes signed the token (RFC 7515 §5.2). */
async function isSigned(token) {
  const [head, claims, signature] = token.split('.')
  const { keys } = await (await fetch(server.jwks_uri)).json()
  const jwk = keys.find(({ kid }) => kid === part(head).kid)
  const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('jwk', jwk, algorithm, false, ['verify'])
  const input = new TextEncoder().encode(`${head}.${claims}`)
  return crypto.subtle.verify(algorithm, key, base64url(signature), input)
}

/** The left half of the access token's digest (OpenID Connect Core §3.2.2.9). */
async function hashOf(accessToken) {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(accessToken))
  return String.fromCharCode(...new Uint8Array(digest).slice(0, 16))
}

if (location.pathname !== '/callback') {
  sessionStorage.setItem('issuer', issuer)
  sessionStorage.setItem('nonce', crypto.randomUUID())
  const url = new URL(server.authorization_endpoint)
  url.search = new URLSearchParams({
    response_type: 'id_token token',
    client_id: 'demo-spa',
    redirect_uri: `${location.origin}/callback`,
    scope: 'openid records:read',
    state: 's+/=1',
    nonce: sessionStorage.getItem('nonce'),
  })
  location.assign(url)
} else {
  const answer = Object.fromEntries(new URLSearchParams(location.hash.slice(1)))
  history.replaceState(null, '', '/callback')
  const { id_token: idToken, access_token: accessToken } = answer
  const claims = part(idToken.split('.')[1])
  const userinfo = await fetch(server.userinfo_endpoint, {
    headers: { authorization: `${answer.token_type} ${accessToken}` },
  })
  const output = document.createElement('output')
  output.textContent = JSON.stringify({
    state: answer.state === 's+/=1',
    iss: answer.iss === issuer && claims.iss === issuer,
    nonce: claims.nonce === sessionStorage.getItem('nonce'),
    signed: [await isSigned(idToken), await isSigned(accessToken)],
    hash: String.fromCharCode(...base64url(claims.at_hash)) === (await hashOf(accessToken)),
    scope: answer.scope,
    expiresIn: answer.expires_in,
    sub: (await userinfo.json()).sub,
  })
  document.body.append(output)
}
