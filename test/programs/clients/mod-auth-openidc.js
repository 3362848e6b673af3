// A person who visits a page that Apache protects with mod_auth_openidc: node mod-auth-openidc.js PAGE. Prints what
// the page knows of her, as JSON.
import { get } from 'node:https'
import { logIn } from './log-in.js'

const [page = ''] = process.argv.slice(2)
const jar = new Map()

/** By node:https: the module takes what `fetch` sends for a script's request, and does not redirect it. */
async function visit(url) {
  const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
  const answer = await new Promise((resolve, reject) => {
    get(url, { headers: { cookie, accept: 'text/html' }, agent: false }, resolve).once('error', reject)
  })
  answer.resume()
  for (const line of answer.headers['set-cookie'] ?? []) {
    const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)
    if (value === '') jar.delete(name)
    else jar.set(name, value)
  }
  return answer
}
const location = ({ headers, statusCode }) => new URL(headers.location ?? `none:${statusCode}`)

const asked = location(await visit(page))
const landed = await logIn(asked)
const home = location(await visit(landed))
const shown = await visit(home)
const forged = new URL(landed)
forged.searchParams.set('state', 'forged')
const denied = await visit(forged)
console.log(
  JSON.stringify({
    asked: asked.searchParams.get('response_type'),
    pkce: asked.searchParams.get('code_challenge_method'),
    home: home.href === page,
    status: shown.statusCode,
    user: shown.headers['x-user'],
    forged: [denied.statusCode, denied.headers['x-user'] ?? null],
  }),
)
