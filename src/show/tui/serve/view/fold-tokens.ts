import type { LabEvent } from '../../../../protocol/events.js'
import { defined } from '../../../../protocol/values.js'
import type { Change } from './change.js'
import { changeLatest, findLatest, push } from './history.js'
import type { IssuedToken, LabView, RefreshFamily } from './lab-view.js'
import { aboutOf, numberOf, textOf } from './members.js'

/** Number of tokens of a family that are remembered, to recognise one that comes again. */
const MAX_GENERATIONS = 32

function issued(view: LabView, event: LabEvent, at: number): LabView {
  const token = textOf(event, 'access_token')
  const seconds = numberOf(event, 'expires_in')
  const { client, user } = aboutOf(event)
  const one: IssuedToken = {
    id: textOf(event, 'jti') ?? token ?? '?',
    kind: textOf(event, 'token_type') ?? 'Bearer',
    issuedAt: at,
    accepted: 0,
    ...defined({
      token,
      subject: user,
      for: client ?? textOf(event, 'aud'),
      grant: textOf(event, 'grant_type'),
      scope: textOf(event, 'scope'),
      expiresAt: seconds === undefined ? undefined : at + seconds * 1000,
    }),
  }
  return withFamily({ ...view, tokens: push(view.tokens, one) }, event, at)
}

const holds = (token: string) => (family: RefreshFamily) => family.tokens.includes(token)

/** A refresh token beside the access token begins a family, unless it is the next one of a family. */
function withFamily(view: LabView, event: LabEvent, at: number): LabView {
  const token = textOf(event, 'refresh_token')
  if (token === undefined || findLatest(view.families, holds(token)) !== undefined) return view
  const { refreshLifetime } = view.facts
  const family: RefreshFamily = {
    tokens: [token],
    issuedAt: at,
    uses: 0,
    ...aboutOf(event),
    ...defined({
      scope: textOf(event, 'scope'),
      expiresAt: refreshLifetime === undefined ? undefined : at + refreshLifetime,
    }),
  }
  return { ...view, families: push(view.families, family) }
}

function rotated(view: LabView, event: LabEvent, at: number): LabView {
  const used = textOf(event, 'refresh_token')
  const next = textOf(event, 'replaced_by')
  if (used === undefined) return view
  const { refreshLifetime } = view.facts
  const use = (family: RefreshFamily): RefreshFamily => ({
    ...family,
    tokens: (next === undefined ? family.tokens : [next, ...family.tokens]).slice(0, MAX_GENERATIONS),
    uses: family.uses + 1,
    usedAt: at,
    ...(refreshLifetime !== undefined && { expiresAt: at + refreshLifetime }),
  })
  if (findLatest(view.families, holds(used)) !== undefined) {
    return { ...view, families: changeLatest(view.families, holds(used), use) }
  }
  const begun: RefreshFamily = { tokens: [used], issuedAt: at, uses: 0, ...aboutOf(event) }
  return { ...view, families: push(view.families, use(begun)) }
}

function familyEnded(because: (event: LabEvent) => string): Change {
  return (view, event, at) => {
    const token = textOf(event, 'refresh_token')
    if (token === undefined) return view
    const end = (family: RefreshFamily): RefreshFamily =>
      family.revokedAt === undefined ? { ...family, revokedAt: at, revokedBecause: because(event) } : family
    return { ...view, families: changeLatest(view.families, holds(token), end) }
  }
}

function revoked(view: LabView, event: LabEvent, at: number): LabView {
  const jti = textOf(event, 'jti')
  const reason = textOf(event, 'reason')
  const end = (token: IssuedToken): IssuedToken => ({
    ...token,
    revokedAt: at,
    ...(reason !== undefined && { revokedBecause: reason }),
  })
  return { ...view, tokens: changeLatest(view.tokens, ({ id }) => id === jti, end) }
}

function accepted(view: LabView, event: LabEvent, at: number): LabView {
  const token = textOf(event, 'access_token')
  if (token === undefined) return view
  const use = (each: IssuedToken): IssuedToken => ({ ...each, accepted: each.accepted + 1, acceptedAt: at })
  return { ...view, tokens: changeLatest(view.tokens, each => each.token === token, use) }
}

/** The life of access tokens, and of refresh tokens with all that came of them. */
export const tokenChanges: ReadonlyArray<readonly [type: string, change: Change]> = [
  ['token.issued', issued],
  ['token.revoked', revoked],
  ['resource.accepted', accepted],
  ['refresh_token.rotated', rotated],
  ['refresh_token.reused', familyEnded(() => 'a used one came again')],
  ['refresh_token.revoked', familyEnded(event => textOf(event, 'reason') ?? 'revoked')],
]
