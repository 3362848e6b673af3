import { foreign } from '../../../protocol/safe-output/safe.js'
import { shellWord } from '../../../protocol/safe-output/shell.js'
import type { Acceptor, Granted } from '../../../servers/kubernetes/client/granted.js'
import type { ServiceAccountToken } from '../../../servers/kubernetes/client/service-account-token.js'
import type { Signs } from '../text/signs.js'
import { lifetimeText, utcText } from './moments.js'

function lifetimeLine(
  { lifetime, asked, lifetimeChange, warnAfter }: Granted,
  { expires }: ServiceAccountToken,
): string {
  if (lifetime === undefined) return 'granted without an end: it has no exp and iat'
  const granted = lifetimeText(lifetime)
  const until = expires === undefined ? '' : `, until ${utcText(expires * 1000)}`
  const renew = warnAfter === undefined ? '' : `; to be renewed after ${lifetimeText(warnAfter)} (warnafter)`
  switch (lifetimeChange) {
    case 'as_asked':
      return `asked ${lifetimeText(asked ?? 0)}, granted ${granted}${until}${renew}`
    case 'shortened':
      return `asked ${lifetimeText(asked ?? 0)}, granted only ${granted}: the server's maximum${until}${renew}`
    case 'extended':
      return `asked ${lifetimeText(asked ?? 0)}, granted ${granted}: a pod's token for the API server lives longer than it says${until}${renew}`
    default:
      return `granted ${granted}, the default${until}${renew}`
  }
}

function acceptorLine({ name, accepts, note, fix }: Acceptor, signs: Signs): string[] {
  const who = foreign(name, signs).slice(0, 200)
  if (accepts === 'yes') return [`${signs.done} ${who} accepts it`]
  const help = fix === undefined ? '' : `; for both:  ${fix.map(each => shellWord(each)).join(' ')}`
  const verdict = accepts === 'no' ? `${signs.refused} ${who} refuses it` : `${signs.look} ${who}`
  return [`${verdict}: ${foreign(note ?? '', signs)}${foreign(help, signs)}`]
}

/** The granted token beside the requested one, and the programs that will accept it. */
export function grantedLines(
  granted: Granted,
  token: ServiceAccountToken,
  warnings: readonly string[],
  signs: Signs,
): string[] {
  const { missingAudiences } = granted
  return [
    ...warnings.map(each => `Warning: ${foreign(each, signs).slice(0, 500)}`),
    foreign(lifetimeLine(granted, token), signs),
    ...(missingAudiences.length > 0
      ? [
          `${signs.refused} not granted: audience ${missingAudiences.map(each => foreign(each, signs)).join(', ')}`,
        ]
      : []),
    ...granted.acceptedBy.flatMap(each => acceptorLine(each, signs)),
  ]
}
