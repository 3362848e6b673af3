/**
 * Logs alice in at the page for requests, as a browser without scripts would.
 * @param {string} issuer
 */
export async function signIn(issuer) {
  const page = `${issuer}/ciba`
  const jar = new Map()
  const field = (html, name) => new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? ''

  async function send(form) {
    const headers = { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') }
    const body = form && new URLSearchParams(form)
    const answer = await fetch(page, { method: form ? 'POST' : 'GET', headers, body, redirect: 'error' })
    for (const line of answer.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)
      jar.set(name, value)
    }
    return answer.text()
  }
  const csrf = field(await send(), 'csrf')
  await send({ username: 'alice', password: 'wonderland', csrf })

  /** Decides about the request with this message. */
  return async (message, decision) => {
    const section = (await send()).split('<section>').find(each => each.includes(`<bdi>${message}</bdi>`))
    if (section === undefined) throw new Error(`the page does not show ${message}`)
    await send({ request: field(section, 'request'), csrf: field(section, 'csrf'), decision })
  }
}
