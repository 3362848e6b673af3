// A browser without scripts, and alice in front of it: follows redirects, logs in, presses the button of every other
// form, until an address answers that is not the server's. To be named by BROWSER.
// node person.js ADDRESS
const cookies = new Map()
let url = new URL(process.argv[2])
const { origin } = url
let body

for (let hops = 0; hops < 20; hops++) {
  const answer = await fetch(url, {
    ...(body === undefined ? {} : { method: 'POST', body }),
    redirect: 'manual',
    headers: { cookie: [...cookies].map(each => each.join('=')).join('; ') },
  })
  for (const cookie of answer.headers.getSetCookie()) {
    const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
    cookies.set(name, value)
  }
  const html = await answer.text()
  const location = answer.headers.get('location')
  body = undefined
  if (url.origin !== origin) break
  if (location !== null) {
    url = new URL(location, url)
    continue
  }
  const [, action] = /<form[^>]*\baction="([^"]*)"/.exec(html) ?? []
  if (action === undefined) throw new Error(`no form at ${url}: ${answer.status} ${html}`)
  url = new URL(action.replaceAll('&amp;', '&'), url)
  body = new URLSearchParams()
  for (const [field] of html.matchAll(/<input\b[^>]*>/g)) {
    const [, name] = /\bname="([^"]*)"/.exec(field) ?? []
    const [, value = ''] = /\bvalue="([^"]*)"/.exec(field) ?? []
    const typed = { login: 'alice', password: 'wonderland' }[name] ?? value
    if (name !== undefined) body.set(name, typed)
  }
}
