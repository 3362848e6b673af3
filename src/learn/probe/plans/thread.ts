import { jsonResponse, textResponse } from '../../../protocol/http/message.js'
import { answering, formOf, isToken, isUserinfo } from '../front.js'
import type { Layer, Observed, Plan, RunPlan } from '../model.js'
import { byCode, RIGHT } from './parts.js'

const RIGHTS = [RIGHT, RIGHT, RIGHT] as const

const unavailable: Layer = async () =>
  jsonResponse(503, { error: 'temporarily_unavailable' }, [['retry-after', '0']])
const badGateway: Layer = async () => textResponse(502, 'Bad Gateway\n')

/** The server acts, and its answer is lost. */
const lost =
  (answer: Layer): Layer =>
  async (request, next) => {
    await next(request)
    return answer(request, next)
  }

/** Keeps the second answer: somebody else was faster. */
const second: Layer = async (request, next) => {
  await next(request)
  return next(request)
}

/** The three steps alone: an answer becomes tokens. */
export const code: Plan = {
  ...byCode,
  runs: RIGHTS,
  values: ({ observed }) => ['a redeemed code', observed.redeemed ? 'a redeemed code' : 'no redeemed code'],
}

const elsewhere = (wrong: string, path: (own: string) => string): RunPlan => ({
  wrong,
  answer(answer) {
    const told = new URL(answer)
    told.pathname = path(told.pathname)
    return told
  },
})

const place = ({ origin, pathname }: URL): string => `${origin}${pathname}`

/** RFC 9700 §4.1.3: an answer at another address does not count. */
export const redirect: Plan = {
  ...byCode,
  runs: [
    elsewhere('an address that begins like the right one', own => `${own}.evil`),
    elsewhere('an address below the right one', own => `${own}/more`),
    elsewhere('another address of the same host', () => '/other'),
    ...RIGHTS,
  ],
  values: ({ scene, answer }) => [scene.request.searchParams.get('redirect_uri') ?? '', place(answer)],
}

const challengeOf = (request: URL | undefined): string => request?.searchParams.get('code_challenge') ?? ''

const injected = (wrong: string, earlier: boolean, user: 'same' | 'victim'): RunPlan => ({
  wrong,
  received: earlier ? 'the code_challenge of an older login' : 'a login without code_challenge',
  async answer(answer, scene) {
    const request = new URL(earlier ? (scene.earlier ?? scene.request) : scene.request)
    if (!earlier) {
      request.searchParams.delete('code_challenge')
      request.searchParams.delete('code_challenge_method')
      // A client that must use PKCE has no such login; the attacker's challenge stands in it.
      if (scene.client.require_pkce) {
        request.searchParams.set('code_challenge', 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM')
        request.searchParams.set('code_challenge_method', 'S256')
      }
    }
    const told = new URL(answer)
    told.searchParams.set('code', await scene.codeFor(request, user))
    return told
  },
})

/** RFC 7636 §1, RFC 9700 §4.5: the server must have reason to refuse the code of another login. */
export const pkce: Plan = {
  finishes: 'code',
  finished: ({ redeemed }) => redeemed,
  runs: [
    { ...injected('the code of an older login of your client', true, 'same'), needsEarlier: true },
    injected('the code of somebody else', false, 'victim'),
    injected('the code of another login of the same user', false, 'same'),
    ...RIGHTS,
  ],
  values: ({ scene, run }) => [challengeOf(scene.request), run.received ?? challengeOf(scene.request)],
}

const atToken = (wrong: string, received: string, answer: Layer): RunPlan => ({
  wrong,
  received,
  layer: () => answering(isToken, answer),
})

/** RFC 6749 §4.1.2: a code that was sent is spent, whatever came back. */
export const oneUse: Plan = {
  finishes: 'end',
  finished: ({ endedWell, redeemed, codes }, wrong) =>
    wrong ? endedWell || codes > 1 : endedWell && redeemed && codes === 1,
  runs: [
    atToken('the answer with the tokens is lost, and 503 comes', '503', lost(unavailable)),
    atToken('the answer with the tokens is lost in a proxy', '502', lost(badGateway)),
    atToken('the code was redeemed by somebody else', '400 invalid_grant', second),
    ...RIGHTS,
  ],
  values: ({ run }) => ['200', run.received ?? '200'],
}

const hidden: RunPlan = { tokens: async scene => scene.hide }

/** The access token is opaque (RFC 6749 §1.4); sub of userinfo (OpenID Connect Core §5.3.2). */
export const opaque: Plan = {
  finishes: 'end',
  finished: ({ endedWell, used }, wrong) => endedWell && (wrong || used),
  runs: [
    {
      wrong: 'an access token about somebody else',
      received: 'a-victim',
      tokens: async ({ logIn }) => {
        const { access_token } = await logIn({ client: 'own', user: 'victim' })
        return members => ({ ...members, access_token })
      },
    },
    {
      wrong: 'userinfo about somebody else',
      received: 'mallory',
      layer: () => answering(isUserinfo, async () => jsonResponse(200, { sub: 'mallory' })),
    },
    {
      wrong: 'userinfo without sub',
      received: '',
      layer: () => answering(isUserinfo, async () => jsonResponse(200, { name: 'Alice' })),
    },
    ...[hidden, hidden, hidden],
  ],
  values: ({ scene, run }) => [scene.username, run.received ?? scene.username],
}

/** All characters that a form encodes, long enough for HS256. */
const SECRET = '+ /%:=&?é secret-of-the-probe-0123456789'

const withSecret = (wrong: string, secret: string | undefined): RunPlan => ({
  wrong,
  received: secret === undefined ? 'no secret' : secret === '' ? 'an empty secret' : 'an old secret',
  env: { CLIENT_SECRET: secret },
  finished:
    secret === undefined || secret === ''
      ? ({ codes }: Observed) => codes > 0
      : ({ endedWell, codes }: Observed) => endedWell || codes > 1,
})

/** RFC 6749 §2.3.1: encoded as in a form, and nothing is sent without it. */
export const secret: Plan = {
  finishes: 'end',
  finished: ({ redeemed }) => redeemed,
  client: client => ({ ...client, client_secret: SECRET }),
  runs: [
    withSecret('no CLIENT_SECRET at all', undefined),
    withSecret('an empty CLIENT_SECRET', ''),
    withSecret('an old CLIENT_SECRET', 'the-secret-of-last-year-0123456789abcdef'),
    ...RIGHTS,
  ],
  values: ({ run }) => ['the secret of the client', run.received ?? 'the secret of the client'],
}

/** Of the client of the course. */
const NEEDED = 'openid records:read'

const words = (scope: string): string => scope.split(' ').sort().join(' ')
const scopeOf = (request: URL): string => request.searchParams.get('scope') ?? ''

/** RFC 6749 §5.1: less than was asked for, or left out where it is the same. */
export const scope: Plan = {
  finishes: 'end',
  finished: ({ endedWell, redeemed }, wrong, scene) =>
    endedWell && (wrong || (redeemed && words(scopeOf(scene.request)) === NEEDED)),
  runs: [
    { wrong: 'the user allows openid alone', allowed: 'openid' },
    { wrong: 'the user allows the name, and no records', allowed: 'openid profile' },
    { wrong: 'the user allows to change records, and not to read them', allowed: 'openid records:write' },
    RIGHT,
    RIGHT,
    {
      tokens:
        async () =>
        ({ scope: _, ...members }) =>
          members,
    },
  ],
  values: ({ scene, run }) => [NEEDED, run.allowed ?? scopeOf(scene.request)],
}

/** RFC 8707 §2: the token is for the server that it is shown to, and for no other. */
export const audience: Plan = {
  finishes: 'end',
  finished: ({ endedWell, audiences }, _, { issuer }) =>
    endedWell && audiences.length === 1 && audiences[0] === `${issuer}/userinfo`,
  runs: RIGHTS,
  values: ({ scene, observed }) => [`${scene.issuer}/userinfo`, observed.audiences.join(' ')],
}

const REFUSED = jsonResponse(401, { error: 'invalid_token' }, [
  ['www-authenticate', 'Bearer error="invalid_token"'],
])

/** Refuses the access token as a server does when it has expired. */
function expired(times: number): Layer {
  let left = times
  return answering(isUserinfo, async (request, next) => {
    left -= 1
    return left >= 0 ? REFUSED : next(request)
  })
}

const refreshed = (times: number): RunPlan => ({
  layer: () => expired(times),
  finished: ({ endedWell, refreshes }) => endedWell && refreshes === times,
})

const isRefresh: (answer: Layer) => Layer = answer => (request, next) =>
  formOf(request).get('grant_type') === 'refresh_token' ? answer(request, next) : next(request)

const refreshLie = (wrong: string, received: string, answer: Layer): RunPlan => ({
  wrong,
  received,
  layer: () => {
    const refuses = expired(1)
    const lies = answering(isToken, isRefresh(answer))
    return (request, next) => refuses(request, asked => lies(asked, next))
  },
})

/** Of a client that asks again after a refusal. */
const MOST_REFRESHES = 5

/** RFC 6749 §6, RFC 9700 §4.14.2: the newest refresh token counts, and a refused one ends it. */
export const rotation: Plan = {
  finishes: 'end',
  finished: ({ endedWell, refreshes }) => endedWell || refreshes > MOST_REFRESHES,
  runs: [
    { wrong: 'a server that accepts no access token', received: '401 for ever', layer: () => expired(1000) },
    refreshLie('a thief was faster with the refresh token', '400 invalid_grant', second),
    refreshLie('the server cannot refresh now', '503', unavailable),
    refreshed(1),
    refreshed(2),
    refreshed(2),
  ],
  values: ({ run, observed }) => [
    run.wrong === undefined ? 'userinfo, after as many refreshes as refusals' : 'userinfo',
    run.received ?? `refreshed ${observed.refreshes} times`,
  ],
}

const atRevocation = (wrong: string, received: string, answer: Layer): RunPlan => ({
  wrong,
  received,
  layer: () => answering(path => path === '/revocation', answer),
})

/** RFC 7009 §2: logout revokes; any answer but 200 means that the token lives on. */
export const logout: Plan = {
  finishes: 'end',
  finished: ({ endedWell, revoked }, wrong) => endedWell && (wrong || revoked),
  runs: [
    atRevocation('revocation answers 503', '503', unavailable),
    atRevocation('a proxy answers in place of revocation', '502', badGateway),
    atRevocation('revocation refuses the client', '401 invalid_client', async () =>
      jsonResponse(401, { error: 'invalid_client' }),
    ),
    ...RIGHTS,
  ],
  values: ({ run, observed }) => ['revoked', run.received ?? (observed.revoked ? 'revoked' : 'not revoked')],
}
