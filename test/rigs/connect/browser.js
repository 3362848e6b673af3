// A browser without scripts, with alice in front of it: node browser.js URL… It opens the addresses one after the other, keeps cookies by
// host, follows redirects and fills in forms. It prints the last of the pages that have no form. It says that it navigates, as browsers do:
// some servers ask nobody else to log in.
import http from 'node:http'
import https from 'node:https'

/** @type {Map<string, Map<string, string>>} */
const jars = new Map()

/** Sends a request with the cookies of its host, and keeps those of the answer. */
async function send(url, form) {
  const jar = jars.get(url.hostname) ?? new Map()
  jars.set(url.hostname, jar)
  const headers = {
    accept: 'text/html',
    'user-agent': 'browser.js',
    'sec-fetch-mode': 'navigate',
    'sec-fetch-dest': 'document',
    cookie: [...jar].map(pair => pair.join('=')).join('; '),
    ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
  }
  const { request } = url.protocol === 'https:' ? https : http
  const answer = await new Promise((resolve, reject) => {
    const sent = request(url, { method: form ? 'POST' : 'GET', headers, agent: false }, resolve)
    sent.on('error', reject).end(form?.toString())
  })
  for (const line of answer.headers['set-cookie'] ?? []) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    if (/max-age=0|expires=Thu, 01 Jan 1970/i.test(line)) jar.delete(name)
    else jar.set(name, value)
  }
  let text = ''
  for await (const part of answer.setEncoding('utf8')) text += part
  return { status: answer.statusCode, location: answer.headers.location, text }
}

/** The first answer of a server, which may listen a moment after it said where. */
async function first(url) {
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

/** Opens an address, and returns the first page without a form. */
async function open(address) {
  let url = new URL(address)
  let answer = await first(url)
  for (let i = 0; i < 20; i++) {
    const { status, location, text } = answer
    if (location !== undefined) {
      url = new URL(location, url)
      answer = await send(url)
      continue
    }
    const form = /<form\b[^>]*>[\s\S]*?<\/form>/.exec(text)?.[0]
    if (form === undefined || !/csrf|name="(state|rd)"/i.test(form)) return `${status} ${text}`
    const fields = [...form.matchAll(/<input\b[^>]*>/g)].map(([tag]) => {
      const name = attribute(tag, 'name') ?? ''
      return [name, typed[name] ?? attribute(tag, 'value') ?? '']
    })
    const start = form.slice(0, form.indexOf('>'))
    url = new URL(attribute(start, 'action') ?? url.href, url)
    const typedIn = new URLSearchParams(fields)
    if (/method="get"/i.test(start)) {
      url.search = typedIn.toString()
      answer = await send(url)
    } else answer = await send(url, typedIn)
  }
}

let page
for (const address of process.argv.slice(2)) page = await open(address)
if (page !== undefined) console.log(page)
