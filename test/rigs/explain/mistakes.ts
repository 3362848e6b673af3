import type { Answer, Change } from './relay.js'

/** A mistake of the page, or of what stands between browser and server, with the finding that names it. */
export interface Mistake {
  readonly finding: string
  /** Its name in page.js. */
  readonly page?: string
  readonly change?: Change
  /** Set for a login that ends before the person signs in: the server shows an error, or the browser returns to the application. */
  readonly ends?: 'shown' | 'returned'
}

const ofPage = (finding: string, page: string, ends?: Mistake['ends']): Mistake =>
  ends === undefined ? { finding, page } : { finding, page, ends }

const locationOf = ({ headers }: Answer) => headers.find(([name]) => name === 'location')

/** Changes the address that the login leads back to. */
const callback = (finding: string, edit: (url: URL) => void): Mistake => ({
  finding,
  change(answer) {
    const location = locationOf(answer)
    if (location === undefined || !/^http:\/\/127\.0\.0\.1:\d+\/callback\?/.test(location[1]))
      return undefined
    const url = new URL(location[1])
    edit(url)
    location[1] = url.href
    return undefined
  },
})

const isTokenAnswer = ({ path, status, body }: Answer): boolean =>
  /\/token$/.test(path) && status === 200 && body.length > 0

/** Changes the answer of the token endpoint. */
const answer = (finding: string, edit: (answer: Answer) => void): Mistake => ({
  finding,
  change(each) {
    if (isTokenAnswer(each)) edit(each)
    return undefined
  },
})

type Json = Record<string, unknown>

const jsonOf = (bytes: Uint8Array) => JSON.parse(Buffer.from(bytes).toString()) as Json

/** Changes the members of a token answer. */
const tokens = (finding: string, edit: (tokens: Json) => void): Mistake =>
  answer(finding, each => {
    const json = jsonOf(each.body)
    edit(json)
    each.body = Buffer.from(JSON.stringify(json))
  })

/** Changes header and claims of the ID token, whose signature does not hold any more. */
const idToken = (finding: string, edit: (claims: Json, header: Json) => void): Mistake =>
  tokens(finding, all => {
    const [first = '', second = '', signature] = String(all.id_token).split('.')
    const [header, claims] = [
      jsonOf(Buffer.from(first, 'base64url')),
      jsonOf(Buffer.from(second, 'base64url')),
    ]
    edit(claims, header)
    const parts = [header, claims].map(each => Buffer.from(JSON.stringify(each)).toString('base64url'))
    all.id_token = [...parts, signature].join('.')
  })

const header = (answer: Answer, name: string, value?: string): void => {
  answer.headers = answer.headers.filter(([each]) => each !== name)
  if (value !== undefined) answer.headers.push([name, value])
}

/** The browser keeps a token answer from the page when no header allows the page to read it. */
const withoutCors: Change = each => {
  if (/\/token$/.test(each.path)) header(each, 'access-control-allow-origin')
  return undefined
}

/**
 * Mistakes whose recording each browser writes its own way: addresses, a Referer, a form with a secret, a refusal, and answers that
 * the page does not get. Recordings of the other mistakes differ from these in values alone.
 */
export const mistakesOfBrowsers: readonly Mistake[] = [
  ofPage('redirect-uri-differs', 'redirect'),
  ofPage('secret-in-page', 'secret'),
  ofPage('token-in-url', 'url'),
  ofPage('code-in-referer', 'referer'),
  ofPage('request-shown-error', 'stray', 'shown'),
  { finding: 'cors-missing', change: withoutCors },
  // A browser repeats the request on another connection.
  { finding: 'no-answer', change: ({ path }) => (path.endsWith('/token') ? 'drop' : undefined) },
]

/** Mistakes that every server shows. */
const everywhere: readonly Mistake[] = [
  ...mistakesOfBrowsers,
  ofPage('verifier-differs', 'verifier'),
  ofPage('verifier-missing', 'no-verifier'),
  ofPage('client-differs', 'client'),
  ofPage('code-differs', 'code'),
  ofPage('code-reused', 'twice'),
  callback('state-missing', url => url.searchParams.delete('state')),
]

/** Twenty mistakes of a login with OpenID Connect. */
export const openidMistakes: readonly Mistake[] = [
  ...everywhere,
  callback('iss-missing', url => url.searchParams.delete('iss')),
  callback('iss-differs', url => url.searchParams.set('iss', 'https://evil.example')),
  idToken('nonce-differs', claims => Object.assign(claims, { nonce: 'other' })),
  idToken('audience-differs', claims => Object.assign(claims, { aud: 'other', azp: 'other' })),
  idToken('issuer-differs', claims => Object.assign(claims, { iss: `${String(claims.iss)}/` })),
  idToken('milliseconds', claims =>
    Object.assign(claims, { exp: Number(claims.exp) * 1000, iat: Number(claims.iat) * 1000 }),
  ),
  idToken('key-unknown', (_claims, head) => Object.assign(head, { kid: 'another-key' })),
]

/** Twenty mistakes of a login without OpenID Connect. */
export const oauthMistakes: readonly Mistake[] = [
  ...everywhere,
  ofPage('pkce-missing', 'no-pkce'),
  ofPage('pkce-plain', 'plain'),
  ofPage('verifier-without-challenge', 'no-challenge'),
  ofPage('secret-in-url', 'secret-url'),
  ofPage('refresh-token-reused', 'refresh'),
  ofPage('authorization-error', 'scope'),
  answer('token-cacheable', each => header(each, 'cache-control', 'public')),
]
