// A browser without scripts, with alice in front of it: node browser.js URL. It keeps cookies by host, follows redirects, fills in
// forms, and prints the first page that has none.

/** @type {Map<string, Map<string, string>>} */
const jars = new Map()

/** Sends a request with the cookies of its host, and keeps those of the answer. */
async function send(url, init = {}) {
  const jar = jars.get(url.hostname) ?? new Map()
  jars.set(url.hostname, jar)
  const cookie = [...jar].map(pair => pair.join('=')).join('; ')
  const answer = await fetch(url, { ...init, redirect: 'manual', headers: { ...init.headers, cookie } })
  for (const line of answer.headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    if (/max-age=0|expires=Thu, 01 Jan 1970/i.test(line)) jar.delete(name)
    else jar.set(name, value)
  }
  return answer
}

// Some servers listen a moment after they said where.
const first = async url => {
  for (let i = 0; ; i++) {
    try {
      return await send(url)
    } catch (error) {
      if (i > 50) throw error
      await new Promise(done => setTimeout(done, 100))
    }
  }
}

const attribute = (tag, name) => new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1]?.replaceAll('&amp;', '&')
const typed = { username: 'alice', password: 'wonderland' }

let url = new URL(process.argv[2] ?? '')
let answer = await first(url)
for (let i = 0; i < 20; i++) {
  const location = answer.headers.get('location')
  if (location !== null) {
    url = new URL(location, url)
    answer = await send(url)
    continue
  }
  const page = await answer.text()
  const form = /<form\b[^>]*>[\s\S]*?<\/form>/.exec(page)?.[0]
  if (form === undefined || !/csrf|name="state"/i.test(form)) {
    console.log(answer.status, page)
    break
  }
  const inputs = [...form.matchAll(/<input\b[^>]*>/g)].map(([tag]) => tag)
  const fields = inputs.map(tag => {
    const name = attribute(tag, 'name') ?? ''
    return [name, typed[name] ?? attribute(tag, 'value') ?? '']
  })
  url = new URL(attribute(form.slice(0, form.indexOf('>')), 'action') ?? url.href, url)
  answer = await send(url, { method: 'POST', body: new URLSearchParams(fields) })
}
