import { answerMembers } from '../../../flows/answers/answer-members.js'
import { DEVICE_GRANT_TYPE } from '../../../protocol/oauth/answers.js'
import { fault, type Judgement, NO_ANSWER, notApplicable, notTried, passIf } from '../finding.js'
import { ofConfidential, type Requester, refusedAs, refusedWith, seen } from '../requester.js'
import { flowOptions } from '../server-under-test.js'
import { ofEndpoint } from './endpoint-check.js'

/** Fewest bits of a user code: a million guesses must not suffice (RFC 8628 §5.1). */
const MIN_BITS = 24

/** The longest time for a person to be tricked into typing a code, in seconds. */
const MAX_LIFETIME = 1800

type Members = Readonly<Record<string, unknown>>

function scopeOf({ server, metadata }: Requester) {
  const { scope } = flowOptions(server, metadata)
  return scope === undefined ? [] : [['scope', scope] as const]
}

/** Judges the answer that begins a device flow. */
async function onBegun(
  requester: Requester,
  url: string,
  judge: (members: Members) => Judgement | Promise<Judgement>,
): Promise<Judgement> {
  const exchange = await requester.post(url, scopeOf(requester))
  if (exchange?.response === undefined) return notTried(NO_ANSWER)
  const { status } = exchange.response
  if (status >= 500) return notTried(`the server fails: ${seen(exchange)}`)
  if (status >= 300) return notApplicable(`the client may not use the device grant: ${seen(exchange)}`)
  return judge(answerMembers(exchange))
}

/** The bits of a user code, by the characters that it has. */
function bitsOf(code: string): number {
  const characters = code.replace(/[^a-z0-9]/gi, '')
  const alphabet = (/\d/.test(characters) ? 10 : 0) + (/[a-z]/i.test(characters) ? 20 : 0)
  return alphabet === 0 ? 0 : characters.length * Math.log2(alphabet)
}

/** Checks the device authorization endpoint (RFC 8628). */
export const deviceChecks = ofEndpoint('device', 'device_authorization_endpoint', [
  {
    name: 'device-answer',
    title: 'a device is given both codes, a lifetime and an https address',
    rule: 'RFC 8628 §3.2',
    severity: 'weakness',
    check: (requester, url) =>
      onBegun(requester, url, members => {
        const { verification_uri: address } = members
        const missing = ['device_code', 'user_code', 'verification_uri', 'expires_in'].filter(
          name => members[name] === undefined,
        )
        if (missing.length > 0) return fault(`missing: ${missing.join(', ')}`)
        return passIf(typeof address === 'string' && /^https:/i.test(address), String(address))
      }),
  },
  {
    name: 'device-user-code',
    title: 'the code that a person types cannot be guessed',
    rule: 'RFC 8628 §5.1',
    severity: 'weakness',
    check: (requester, url) =>
      onBegun(requester, url, ({ user_code: code }) => {
        if (typeof code !== 'string') return fault('user_code is missing')
        const bits = Math.floor(bitsOf(code))
        return passIf(bits >= MIN_BITS, `${bits} bits`)
      }),
  },
  {
    name: 'device-lifetime',
    title: 'a device waits no longer than half an hour for the person',
    rule: 'RFC 8628 §5.4',
    severity: 'weakness',
    check: (requester, url) =>
      onBegun(requester, url, ({ expires_in: seconds }) =>
        typeof seconds === 'number'
          ? passIf(seconds <= MAX_LIFETIME, `${seconds} s`)
          : fault('expires_in is missing'),
      ),
  },
  {
    name: 'device-waits',
    title: 'a device gets no token before a person decided',
    rule: 'RFC 8628 §3.5',
    check: (requester, url) =>
      onBegun(requester, url, async ({ device_code: code }) => {
        const { token_endpoint: tokenEndpoint } = requester.metadata
        if (typeof code !== 'string' || tokenEndpoint === undefined)
          return notTried('there is no device_code')
        return refusedWith(
          await requester.post(tokenEndpoint, [
            ['grant_type', DEVICE_GRANT_TYPE],
            ['device_code', code],
          ]),
          ['authorization_pending', 'slow_down'],
        )
      }),
  },
  {
    name: 'device-no-credentials',
    title: 'a confidential client begins nothing without its credentials',
    rule: 'RFC 8628 §3.1',
    check: (requester, url) =>
      ofConfidential(requester, () =>
        onBegun(requester, url, () => refusedAs('no-proof', requester, url, scopeOf(requester))),
      ),
  },
  {
    name: 'device-wrong-secret',
    title: 'a client with a wrong secret, key or certificate is refused',
    rule: 'RFC 8628 §3.1',
    check: (requester, url) =>
      ofConfidential(requester, () =>
        onBegun(requester, url, () => refusedAs('wrong-proof', requester, url, scopeOf(requester))),
      ),
  },
])
