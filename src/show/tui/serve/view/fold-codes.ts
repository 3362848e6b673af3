import type { LabEvent } from '../../../../protocol/events.js'
import { defined } from '../../../../protocol/values.js'
import type { Change } from './change.js'
import { changeOrPush } from './history.js'
import type { IssuedCode, LabView } from './lab-view.js'
import { aboutOf, numberOf, textOf } from './members.js'

function expiryOf({ facts }: LabView, event: LabEvent, at: number): number | undefined {
  const seconds = numberOf(event, 'expires_in')
  if (seconds !== undefined) return at + seconds * 1000
  return facts.codeLifetime === undefined ? undefined : at + facts.codeLifetime
}

/** A code whose beginning nobody saw is known from here on. */
function change(view: LabView, event: LabEvent, what: (code: IssuedCode) => Partial<IssuedCode>): LabView {
  const code = textOf(event, 'code')
  if (code === undefined) return view
  const codes = changeOrPush(
    view.codes,
    each => each.code === code,
    (): IssuedCode => ({
      code,
      ...aboutOf(event),
      ...defined({ scope: textOf(event, 'scope') }),
    }),
    each => ({ ...each, ...what(each) }),
  )
  return { ...view, codes }
}

/** The life of authorization codes. */
export const codeChanges: ReadonlyArray<readonly [type: string, change: Change]> = [
  [
    'code.issued',
    (view, event, at) =>
      change(view, event, () => {
        const expiresAt = expiryOf(view, event, at)
        return { issuedAt: at, ...(expiresAt !== undefined && { expiresAt }) }
      }),
  ],
  ['code.redeemed', (view, event, at) => change(view, event, () => ({ redeemedAt: at }))],
  ['code.replayed', (view, event, at) => change(view, event, () => ({ replayedAt: at }))],
]
