import type { WeakNameAt } from '../../../protocol/rules/weak-modes.js'
import { defined } from '../../../protocol/values.js'
import { type Defences, type MakeValue, STRICT } from '../defences.js'
import { addressSession } from './address-session.js'
import { anyReturnAddress } from './any-return-address.js'
import { implicitGrant } from './implicit-grant.js'

const none: MakeValue = () => undefined

/** The functions that each weak mode puts in the place of strict ones. */
const REPLACED: Readonly<Record<WeakNameAt<'demo-client'>, Partial<Defences>>> = {
  // PKCE or a nonce alone would refuse the attacker's code as well: both belong to a login of this browser (RFC 9700 §4.7.1).
  'no-state': { state: none, codeVerifier: none, nonce: none, loginOf: ({ unasked }) => unasked() },
  // PKCE alone would refuse the injected code as well (RFC 9700 §4.5.3.1).
  'no-nonce': { nonce: none, codeVerifier: none },
  'token-in-url': { place: addressSession },
  'email-is-identity': { account: person => person.email ?? STRICT.account(person) },
  'implicit-login': { grant: implicitGrant },
  'open-redirect': { returnTo: anyReturnAddress },
  'mix-up': {
    expected: (request, iss) =>
      defined({ ...request, issuer: iss ?? request.issuer, issPromised: false as const }),
    redirectPath: () => '/callback',
  },
}

/** Returns the defences of a client with these weak modes. */
export function weakDefences(names: readonly WeakNameAt<'demo-client'>[]): Defences {
  const replaced = Object.entries(REPLACED)
    .filter(([name]) => names.some(each => each === name))
    .map(([, members]) => members)
  return Object.assign({}, STRICT, ...replaced)
}
