// A single-page application with oidc-client-ts, which its page loads as `oidc`. At /?issuer=… it sends the browser to
// log in; at /callback it shows what it got as JSON.
const issuer = new URLSearchParams(location.search).get('issuer')
if (issuer !== null) sessionStorage.setItem('issuer', issuer)
const manager = new globalThis.oidc.UserManager({
  authority: sessionStorage.getItem('issuer'),
  client_id: 'demo-spa',
  redirect_uri: `${location.origin}/callback`,
  scope: 'openid profile email',
  loadUserInfo: true,
})
const errorOf = promise => promise.then(() => 'none').catch(({ error, message }) => error ?? message)

async function show() {
  const { profile, scopes, token_type: tokenType } = await manager.signinCallback()
  // Of an answer that CORS keeps from scripts, they see neither status nor error: `fetch` throws.
  const stranger = await fetch(await manager.metadataService.getUserInfoEndpoint(), {
    headers: { authorization: 'Bearer not-a-token' },
  })
  const output = document.createElement('output')
  output.textContent = JSON.stringify({
    sub: profile.sub,
    name: profile.name,
    tokenType,
    scopes,
    stranger: [stranger.status, stranger.headers.get('www-authenticate')],
    // A grant that this client is not registered for.
    password: await errorOf(
      manager.signinResourceOwnerCredentials({ username: 'alice', password: 'wonderland' }),
    ),
    // In a frame of another site: the browser keeps the session's cookie back.
    silent: await errorOf(manager.signinSilent()),
  })
  document.body.append(output)
}

if (location.pathname !== '/callback') await manager.signinRedirect()
else if (window.parent !== window) await manager.signinSilentCallback()
else await show()
