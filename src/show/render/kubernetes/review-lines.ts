import { foreign } from '../../../protocol/safe-output/safe.js'
import { shellWord } from '../../../protocol/safe-output/shell.js'
import type { ReviewExplanation } from '../../../servers/kubernetes/client/explain-review.js'
import type { TokenReviewStatus, UserInfo } from '../../../servers/kubernetes/shapes.js'
import { hanging } from '../text/hanging.js'
import type { Signs } from '../text/signs.js'
import { columns } from './columns.js'

/** Long lists and values of a server are cut here. */
const MAX_VALUES = 50
const MAX_VALUE = 300

/** A user, as rows. */
export function userRows({ username, uid, groups, extra }: UserInfo, signs: Signs): string[][] {
  const safe = (text: string) => foreign(text, signs).slice(0, MAX_VALUE)
  const rows = [
    ['Username', username ?? ''],
    ['UID', uid ?? ''],
    ['Groups', (groups ?? []).slice(0, MAX_VALUES).join(', ')],
    ...Object.entries(extra ?? {})
      .slice(0, MAX_VALUES)
      .map(([name, values]) => [
        `Extra ${name.replace(/^authentication\.kubernetes\.io\//, '')}`,
        values.join(', '),
      ]),
  ]
  return rows.filter(([, value]) => value !== '').map(row => row.map(safe))
}

/** The verdict of a review, for stdout. */
export function reviewLines(
  status: TokenReviewStatus,
  explained: ReviewExplanation,
  signs: Signs,
  room?: number,
): string[] {
  if (!explained.authenticated) {
    const error = status.error === undefined ? 'no reason was given' : status.error
    return hanging(`${signs.refused} `, `not authenticated: ${foreign(error, signs).slice(0, 2000)}`, {
      columns: room,
    })
  }
  const audiences = status.audiences ?? []
  const rows = userRows(status.user ?? {}, signs)
  return [
    `${signs.done} authenticated`,
    ...columns(
      [
        ...rows,
        ...(audiences.length > 0
          ? [['Audiences', audiences.map(each => foreign(each, signs)).join(', ')]]
          : []),
      ],
      '  ',
      room,
    ),
  ]
}

/** The meaning of a review and the next moves, for stderr. */
export function reviewAdvice(
  { authenticated, verdict, notes, fix }: ReviewExplanation,
  signs: Signs,
): string[] {
  return [
    ...(authenticated ? [] : [`It means: ${foreign(verdict, signs)}`]),
    ...notes.map(each => foreign(each, signs)),
    ...(fix ? [`Fix:  ${fix.map(each => shellWord(each)).join(' ')}`] : []),
  ]
}
