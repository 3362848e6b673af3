import { isUrl } from '../../protocol/http/address.js'
import type { Exchange } from '../../protocol/http/exchange.js'
import { readPairs } from '../../protocol/http/form.js'
import { header, headerValues, readSetCookie, splitUrl } from '../../protocol/http/message.js'
import { endsUnread } from '../tamper/observe.js'
import { exchangeOf, type Facts, inGroup, loggedInByHand, onTried } from './facts.js'
import { fault, type Judgement, NO_ANSWER, notApplicable, notTried, pass, passIf, remark } from './finding.js'
import { isRaw } from './probe.js'
import { withoutPublicClients } from './profile-checks.js'
import { cookiesAfter } from './session-checks.js'

/** The parameters with which the browser came back to the client. */
function answer({ flow }: Facts): ReadonlyMap<string, string> | undefined {
  const url = flow.steps.find(({ name }) => name === 'authorization_response')?.url
  return url === undefined ? undefined : new Map(readPairs(splitUrl(url).query))
}

/** Fewest characters of a code: 22 characters of base64url hold 128 bits (RFC 6749 §10.10). */
const MIN_CODE = 22

/** Judges an exchange with the login form, where there is one. */
function onForm(
  exchange: Exchange | undefined,
  judge: (response: NonNullable<Exchange['response']>) => Judgement,
): Judgement {
  return exchange?.response ? judge(exchange.response) : notApplicable('the server shows no login form')
}

/** The page with the login form. A server without a login answers with a redirect instead. */
function loginPage(facts: Facts) {
  const exchange = exchangeOf(facts, 'login_form')
  return exchange?.response && exchange.response.status < 300 ? exchange : undefined
}

/** Returns the header that keeps a page out of frames; undefined without one. */
export function hasFrameProtection(response: Parameters<typeof header>[0]): string | undefined {
  const frames = header(response, 'x-frame-options')
  if (frames !== undefined && /^(deny|sameorigin)$/i.test(frames.trim())) return `X-Frame-Options: ${frames}`
  const policy = headerValues(response, 'content-security-policy').find(each => /frame-ancestors/i.test(each))
  return policy === undefined ? undefined : 'Content-Security-Policy: frame-ancestors'
}

/** Elements that make a browser load something from another address when it shows the page. */
const FETCHING =
  /<(?:script|img|iframe|link|embed|object)\b[^>]{0,500}?\b(?:src|href|data)\s*=\s*["']?((?:https?:)?\/\/[^"'\s>]+)/gi

function foreignResources(page: string, from: string): string[] {
  const { origin } = splitUrl(from)
  return [...page.matchAll(FETCHING)]
    .map(([, address = '']) => (isUrl(address, from) ? new URL(address, from).origin : ''))
    .filter(each => each !== '' && each !== new URL(origin).origin)
}

/** True for a cookie that ends at once (RFC 6265 §3.1): nothing is left that needs protection. */
function isDeletion(cookie: string, at: string): boolean {
  const { attributes } = readSetCookie(cookie)
  const age = attributes.get('max-age')
  if (age !== undefined && age !== '') return Number(age) <= 0
  return Date.parse(attributes.get('expires') ?? '') <= Date.parse(at)
}

/** The cookies that an answer sets, without those that it deletes. */
function cookiesSet({ response, at }: Exchange): string[] {
  return response ? headerValues(response, 'set-cookie').filter(each => !isDeletion(each, at)) : []
}

/** Errors with which a server refuses to answer without asking the person (OpenID Connect Core §3.1.2.6). */
const ASKS = [
  'login_required',
  'consent_required',
  'interaction_required',
  'account_selection_required',
  'access_denied',
]

/** Judges the answer to a public client that the person never allowed, which allows no page (`prompt=none`). */
function judgeStranger(
  response: NonNullable<Exchange['response']>,
  { request }: Pick<Exchange, 'request'>,
): Judgement {
  const { status } = response
  if (status === 200) return pass('a page asks')
  const location = status >= 300 && status < 400 ? (header(response, 'location') ?? '') : ''
  const answered = new Map(readPairs(splitUrl(location).query))
  if (answered.has('code')) {
    const taken = 'a code without a question, by prompt=none'
    const address = new Map(readPairs(splitUrl(request.url).query)).get('redirect_uri') ?? ''
    // RFC 8252 §8.6: no other program can take the answer at such an address, so it stands for the client.
    return address.startsWith('https:')
      ? remark(`${taken}, at the https address of the client`)
      : fault(taken)
  }
  const error = answered.get('error') ?? String(status)
  return ASKS.includes(error) ? pass(error) : notApplicable(`refused for another reason: ${error}`)
}

/** Checks the flow without any wrong move. */
export const flowChecks = inGroup<Facts>('login', [
  {
    name: 'login-asked',
    title: 'a code is issued only after somebody logged in',
    rule: 'RFC 6749 §3.1',
    judge: ({ flow: { steps } }) => {
      if (steps.some(({ name }) => name === 'login')) return pass('the form was filled in')
      return steps.some(({ name }) => name === 'authorization_response')
        ? fault('a browser without any session was given a code')
        : notTried('no code was issued')
    },
  },
  {
    name: 'frame-protection',
    severity: 'weakness',
    title: 'the login page cannot be put into a frame',
    rule: 'RFC 9700 §4.16',
    judge: facts =>
      onForm(loginPage(facts), response => {
        const protection = hasFrameProtection(response)
        return protection === undefined
          ? fault('neither X-Frame-Options nor frame-ancestors')
          : pass(protection)
      }),
  },
  {
    name: 'login-resources',
    severity: 'weakness',
    title: 'the login page loads nothing from elsewhere',
    rule: 'RFC 9700 §4.2.4',
    judge: facts => {
      const page = loginPage(facts)
      return onForm(page, ({ body }) => {
        const origins = foreignResources(body.slice(0, 200_000), page?.request.url ?? '')
        return origins.length === 0
          ? pass('no foreign address')
          : fault(`from ${[...new Set(origins)].join(', ')}`)
      })
    },
  },
  {
    name: 'login-cookies',
    severity: 'weakness',
    title: 'cookies of the login are Secure and HttpOnly',
    rule: 'RFC 6265 §8.3',
    judge: facts => {
      const cookies = facts.flow.steps
        .filter(({ name }) => name === 'login_form' || name === 'login')
        .flatMap(({ exchange }) => (exchange ? cookiesSet(exchange) : []))
      if (cookies.length === 0) return notApplicable('the server sets no cookies')
      const insecure = cookies.filter(each => !/;\s*secure\b/i.test(each))
      const readable = cookies.filter(each => !/;\s*httponly\b/i.test(each))
      const bare = cookies.filter(each => insecure.includes(each) || readable.includes(each))
      if (bare.length === 0) return pass(cookies.length === 1 ? '1 cookie' : `${cookies.length} cookies`)
      const detail = `not so: ${bare.map(each => each.split('=', 1)[0]).join(', ')}`
      // The frame of session management reads a cookie by a script (OpenID Connect Session Management §3.2).
      const { check_session_iframe: frame } = facts.publication.metadata
      const forFrame = frame !== undefined && insecure.length === 0 && readable.length < cookies.length
      return forFrame ? remark(`${detail} (read by check_session_iframe)`) : fault(detail)
    },
  },
  {
    name: 'session-asks',
    title: 'a session gives no code to a public client that the person never allowed',
    rule: 'RFC 6749 §10.2',
    judge: ({ strangerInSession, flow, publication: { metadata } }) => {
      if (!flow.steps.some(({ name }) => name === 'login')) {
        return notApplicable('nobody logged in, so there is no session')
      }
      if (loggedInByHand(flow)) return notTried('the session is in your own browser')
      const endpoint = metadata.authorization_endpoint
      if (endpoint === undefined || cookiesAfter(flow, endpoint) === '') {
        return notApplicable('the server sets no cookies, so there is no session')
      }
      const confidential = withoutPublicClients(metadata)
      if (confidential !== undefined && strangerInSession === undefined) return confidential
      return onTried(
        strangerInSession,
        'no other public client of this server is known: --second-client-id',
        judgeStranger,
      )
    },
  },
  {
    name: 'login-redirect',
    title: 'the redirect after the login does not carry the password on',
    rule: 'RFC 9700 §4.12',
    judge: facts =>
      onForm(exchangeOf(facts, 'login'), ({ status }) =>
        passIf(status !== 307 && status !== 308, String(status)),
      ),
  },
  {
    group: 'authorization',
    name: 'honest-flow',
    title: 'a flow without any wrong move is granted, and every check of the client holds',
    rule: 'RFC 6749 §4.1',
    judge: ({ flow: { outcome } }) => {
      if (outcome.outcome === 'granted') return pass('granted')
      const { error = '', error_description = '' } = outcome.error ?? {}
      const detail = `${error}: ${error_description}`
      return endsUnread(outcome) ? notTried(detail) : fault(detail)
    },
  },
  {
    group: 'authorization',
    name: 'state-intact',
    title: 'the state comes back as it was sent, whatever characters it has',
    rule: 'RFC 6749 §4.1.2',
    judge: ({ oddState }) => {
      if (!oddState) return notTried(NO_ANSWER)
      const { sent, landed } = oddState
      const got = new Map(readPairs(splitUrl(landed).query)).get('state')
      return passIf(got === sent, `sent ${sent}, got ${got ?? 'none'}`)
    },
  },
  {
    group: 'authorization',
    name: 'code-unguessable',
    title: 'codes are long, and never the same',
    rule: 'RFC 6749 §10.10',
    judge: facts => {
      const code = answer(facts)?.get('code')
      if (code === undefined) return notTried('no code was issued')
      const other = facts.oddState && new Map(readPairs(splitUrl(facts.oddState.landed).query)).get('code')
      if (code === other) return fault('two requests were given the same code')
      return passIf(code.length >= MIN_CODE, `${code.length} characters`)
    },
  },
  {
    group: 'authorization',
    name: 'iss-sent',
    title: 'answers name the server, as its metadata promise',
    rule: 'RFC 9207 §2',
    judge: facts => {
      const { metadata } = facts.publication
      if (metadata.authorization_response_iss_parameter_supported !== true) {
        return notApplicable('the server promises no iss')
      }
      const pairs = answer(facts)
      if (pairs === undefined) return notTried(NO_ANSWER)
      return passIf(pairs.get('iss') === metadata.issuer, pairs.get('iss') ?? 'none')
    },
  },
  {
    group: 'authorization',
    name: 'reflected-parameters',
    title: 'pages repeat no parameter without escaping it',
    rule: 'RFC 6749 §10.14',
    judge: ({ reflections }) => {
      if (reflections.length === 0) return notTried(NO_ANSWER)
      const raw = reflections.filter(isRaw).map(({ parameter }) => parameter)
      return raw.length === 0
        ? pass(`${reflections.length} pages were read`)
        : fault(`repeated as it was sent: ${raw.join(', ')}`)
    },
  },
  {
    group: 'authorization',
    name: 'authorization-no-cors',
    severity: 'weakness',
    title: 'foreign pages cannot read the authorization endpoint',
    rule: 'RFC 9700 §2.6',
    judge: ({ foreignOrigin }) =>
      onTried(foreignOrigin, 'no page of the server was asked for', response => {
        const allowed = header(response, 'access-control-allow-origin')
        return allowed === undefined
          ? pass('no CORS headers')
          : fault(`Access-Control-Allow-Origin: ${allowed}`)
      }),
  },
])
