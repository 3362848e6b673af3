import { randomBytes } from 'node:crypto'
import { redirectResponse, splitUrl } from '../../../protocol/http/message.js'
import { tokenHash } from '../../../protocol/tokens/verify.js'
import type { ProbeName } from '../../model.js'
import { changing, isMetadata, layered } from '../front.js'
import type { Layer, Members, OwnLogin, OwnTokens, Plan, RunPlan, Scene } from '../model.js'
import { byCode, byEnd, byTokens, idClaims, RIGHT, readableIdToken, textOf } from './parts.js'
import { audience, code, logout, oneUse, opaque, pkce, redirect, rotation, scope, secret } from './thread.js'

/** Another value of a parameter of the answer; undefined leaves it out. */
const answering = (wrong: string, member: string, value: (scene: Scene) => string | undefined): RunPlan => ({
  wrong,
  answer(answer, scene) {
    const told = new URL(answer)
    const changed = value(scene)
    if (changed === undefined) told.searchParams.delete(member)
    else told.searchParams.set(member, changed)
    return told
  },
})

/** An answer of the token endpoint with parts of another login of the liar. */
const substituting = (
  wrong: string,
  login: (scene: Scene) => OwnLogin,
  change: (members: Members, tokens: OwnTokens) => Members,
): RunPlan => ({
  wrong,
  async tokens(scene) {
    const tokens = await scene.logIn(login(scene))
    return members => change(members, tokens)
  },
})

const random = () => randomBytes(16).toString('base64url')
const sentIn = (request: URL | undefined, name: string) => request?.searchParams.get(name) ?? undefined
const stateOf = (request: URL | undefined): string => sentIn(request, 'state') ?? ''

/** RFC 6749 §10.12. */
export const state: Plan = {
  ...byCode,
  runs: [
    {
      ...answering('the state of another login', 'state', scene => stateOf(scene.earlier)),
      needsEarlier: true,
    },
    answering('no state at all', 'state', () => undefined),
    answering('a state that nobody sent', 'state', random),
    ...[RIGHT, RIGHT, RIGHT],
  ],
  values: ({ scene, answer }) => [stateOf(scene.request), stateOf(answer)],
}

const issuerValues: Plan['values'] = ({ scene, answer }) => [scene.issuer, sentIn(answer, 'iss') ?? '']

/** RFC 9207 §2.4. */
const iss: Plan = {
  ...byCode,
  runs: [
    answering('the issuer of another server', 'iss', () => 'https://as.attacker.example'),
    answering('no iss at all', 'iss', () => undefined),
    answering(
      'an issuer that begins like the right one',
      'iss',
      ({ issuer }) => `${issuer}.attacker.example`,
    ),
    ...[RIGHT, RIGHT, RIGHT],
  ],
  values: issuerValues,
}

/** A client that asked for no ID token gets none. */
const swapped = (members: Members, { access_token, id_token }: OwnTokens): Members =>
  members.id_token === undefined ? { ...members, access_token } : { ...members, access_token, id_token }

const nonceOf = ({ request }: Scene): string | undefined => sentIn(request, 'nonce')

const withNonce = (wrong: string, value: (scene: Scene) => string | undefined): RunPlan =>
  substituting(wrong, scene => ({ client: 'own', user: 'same', nonce: value(scene) }), swapped)

/** OpenID Connect Core §3.1.3.7 item 11. Each wrong ID token is a real one of another login. */
const nonce: Plan = {
  ...byTokens,
  runs: [
    {
      ...withNonce('the nonce of another login', scene => sentIn(scene.earlier, 'nonce')),
      needsEarlier: true,
    },
    withNonce('no nonce at all', () => undefined),
    withNonce('a nonce that nobody sent', random),
    ...[RIGHT, RIGHT, RIGHT],
  ],
  values: ({ issued, told }) => [textOf(idClaims(issued).nonce), textOf(idClaims(told).nonce)],
}

/** A member of another login, where the client asked for an ID token. */
const member =
  (name: keyof OwnTokens) =>
  (members: Members, tokens: OwnTokens): Members =>
    members.id_token === undefined ? members : { ...members, [name]: tokens[name] }

function hashOf(members: Members): string {
  const id = readableIdToken(members)
  return id === undefined ? '' : tokenHash(textOf(members.access_token), textOf(id.header.alg))
}

/** OpenID Connect Core §3.1.3.8: two genuine tokens that do not belong together. */
const atHash: Plan = {
  ...byTokens,
  runs: [
    substituting(
      'the access token of another login of the same user',
      () => ({ client: 'own', user: 'same' }),
      member('access_token'),
    ),
    substituting(
      'the ID token of another login, with the right nonce',
      scene => ({ client: 'own', user: 'same', nonce: nonceOf(scene) }),
      member('id_token'),
    ),
    substituting(
      'the access token of somebody else',
      () => ({ client: 'own', user: 'victim' }),
      member('access_token'),
    ),
    ...[RIGHT, RIGHT, RIGHT],
  ],
  values: ({ told }) => [textOf(idClaims(told).at_hash), hashOf(told)],
}

/** In the name of the client (RFC 9700 §4.4.1). */
const sendsOn =
  (honest: string): Layer =>
  async (request, next) => {
    const { path, query } = splitUrl(request.url)
    if (path !== '/authorization') return next(request)
    return redirectResponse(`${honest}/authorization${query === '' ? '' : `?${query}`}`)
  }

const misleading = (wrong: string, metadata?: (honest: string) => Members): RunPlan => ({
  wrong,
  asksOther: true,
  layer: honest => {
    const onward = sendsOn(honest)
    if (metadata === undefined) return onward
    const told = metadata(honest)
    return layered(
      changing(isMetadata, members => ({ ...members, ...told })),
      onward,
    )
  },
})

/**
 * RFC 9700 §4.4, RFC 9207 §2.4: the client is given a dishonest server, and its answer comes from the honest one. In one
 * right run the second server is honest too, so that a client may not refuse it for its name.
 */
const mixUp: Plan = {
  ...byCode,
  two: true,
  runs: [
    misleading('the answer of the server that the asked one sends on to'),
    misleading('metadata that names the login page of another server', honest => ({
      authorization_endpoint: `${honest}/authorization`,
    })),
    misleading('metadata that names another server as issuer', honest => ({
      issuer: honest,
      authorization_endpoint: `${honest}/authorization`,
    })),
    RIGHT,
    RIGHT,
    { asksOther: true },
  ],
  values: issuerValues,
}

/** A client of the attacker's got the tokens from a victim. */
const fromVictim = (wrong: string, change: (members: Members, tokens: OwnTokens) => Members) =>
  substituting(wrong, scene => ({ client: 'other', user: 'victim', nonce: nonceOf(scene) }), change)

/** The ID token as a client sees it, or the reason why it sees none. */
function seenIn(members: Members): string {
  if (members.id_token === undefined) return 'no ID token'
  const { aud, sub } = idClaims(members)
  return `an ID token for ${[aud].flat().map(textOf).join(' ')} about ${textOf(sub)}`
}

/**
 * Token substitution (RFC 6749 §10.16, RFC 9700 §4.6, OpenID Connect Core §16.11). To a client that uses only the ID token
 * a wrong access token does no harm, so that lie counts only where the token was used.
 */
const accessToken: Plan = {
  ...byEnd,
  runs: [
    fromVictim('the tokens that another client got', swapped),
    fromVictim('the access token of another client, and no ID token', (members, { access_token }) => {
      const { id_token: _, ...rest } = members
      return { ...rest, access_token }
    }),
    {
      ...fromVictim(
        'the access token of another client beside the right ID token',
        (members, { access_token }) => ({ ...members, access_token }),
      ),
      finished: ({ endedWell, used }) => endedWell && used,
    },
    ...[RIGHT, RIGHT, RIGHT],
  ],
  values: ({ scene, issued, told }) => {
    const expected = `an ID token for ${scene.client.client_id} about ${scene.username}`
    const foreign = told.access_token !== issued.access_token && idClaims(told).sub === scene.username
    return [expected, foreign ? `${seenIn(told)}, with a foreign access token` : seenIn(told)]
  },
}

export const PLANS: Readonly<Record<ProbeName, Plan>> = {
  state,
  iss,
  nonce,
  at_hash: atHash,
  'mix-up': mixUp,
  'access-token': accessToken,
  code,
  redirect,
  pkce,
  'one-use': oneUse,
  opaque,
  secret,
  scope,
  audience,
  rotation,
  logout,
}
