import type { Line } from '../../render/text/spans.js'
import { foreign, span } from '../../render/text/spans.js'
import { shown } from './pane-parts.js'
import type { IssuedCode, IssuedToken, RefreshFamily } from './view/lab-view.js'
import { countText, leftLine, names, timeText } from './words.js'

const alive = (expiresAt: number | undefined, now: number): boolean =>
  expiresAt !== undefined && now < expiresAt

const given = (...values: ReadonlyArray<string | undefined>): string[] =>
  values.filter(each => each !== undefined)

/** Authorization codes. */
export const codes = shown<IssuedCode>(
  {
    name: 'Codes',
    history: view => view.codes,
    identity: ({ code, client, user }, { signs }) => [span(names(signs, code, client, user))],
    status({ issuedAt, expiresAt, redeemedAt, replayedAt }, { now, signs }): Line {
      if (replayedAt !== undefined)
        return [span(`${signs.look} redeemed, replayed ${timeText(replayedAt)}`, 'look')]
      if (redeemedAt !== undefined) return [span(`${signs.done} redeemed ${timeText(redeemedAt)}`, 'done')]
      const left = leftLine(
        { ...(issuedAt !== undefined && { issuedAt }), ...(expiresAt !== undefined && { expiresAt }) },
        now,
        signs,
      )
      return alive(expiresAt, now) ? [span('issued '), ...left] : left
    },
    fields: ({ code, client, user, scope }) => ({ code, client, user, scope }),
    value: ({ code }) => code,
    mentions: ({ code }) => [code],
    counts: ({ redeemedAt, expiresAt }, now) => redeemedAt === undefined && alive(expiresAt, now),
  },
  ['code', 'client', 'user', 'scope'],
)

/** Access tokens. */
export const tokens = shown<IssuedToken>(
  {
    name: 'Tokens',
    history: view => view.tokens,
    identity: ({ subject, for: whom, kind }, { signs }) => [
      span(`${foreign(subject ?? '-', signs)} ${signs.to} ${foreign(whom ?? '-', signs)}`),
      span(`  ${foreign(kind, signs)}`, 'dim'),
    ],
    status(token, { now, signs }): Line {
      const { revokedAt, revokedBecause, expiresAt, accepted } = token
      if (revokedAt !== undefined) {
        const because = revokedBecause === undefined ? '' : `: ${foreign(revokedBecause, signs)}`
        return [span(`${signs.look} revoked ${timeText(revokedAt)}${because}`, 'look')]
      }
      const used = accepted > 0 && alive(expiresAt, now) ? [span(`  used ${accepted}x`, 'dim')] : []
      return [...leftLine(token, now, signs), ...used]
    },
    fields: ({ id, token, subject, for: client, kind, grant, scope }) => ({
      id,
      token,
      user: subject,
      client,
      kind,
      grant,
      scope,
    }),
    value: ({ token, id }) => token ?? id,
    mentions: ({ id, token }) => given(id, token),
    counts: ({ revokedAt, expiresAt }, now) => revokedAt === undefined && alive(expiresAt, now),
  },
  ['id', 'token', 'user', 'client', 'kind', 'grant', 'scope'],
)

/** Refresh tokens with all that came of them. */
export const refresh = shown<RefreshFamily>(
  {
    name: 'Refresh',
    history: view => view.families,
    identity: ({ tokens: [current = ''], client, user }, { signs }) => [
      span(names(signs, current, client, user)),
    ],
    status({ uses, usedAt, expiresAt, revokedAt, revokedBecause }, { now, signs }): Line {
      if (revokedAt !== undefined) {
        const because = revokedBecause === undefined ? '' : `: ${foreign(revokedBecause, signs)}`
        return [span(`${signs.look} revoked ${timeText(revokedAt)}${because}`, 'look')]
      }
      if (expiresAt !== undefined && now >= expiresAt) return [span(`expired ${timeText(expiresAt)}`, 'dim')]
      const used = usedAt === undefined ? 'not used yet' : `used ${uses}x, last ${timeText(usedAt)}`
      const left = expiresAt === undefined ? '' : `  ${countText(expiresAt - now)} left`
      return [span(used), span(left, 'dim')]
    },
    fields: ({ tokens: [token], client, user, scope }) => ({ token, client, user, scope }),
    value: ({ tokens: [current = ''] }) => current,
    mentions: family => family.tokens,
  },
  ['token', 'client', 'user', 'scope'],
)
