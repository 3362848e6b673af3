import type { WeakNameAt } from '../../../protocol/rules/weak-modes.js'
import { type Defences, STRICT } from '../defences.js'
import { bareDevicePage } from './device-page.js'
import { quoting } from './documents.js'
import { BARE, framable, leaking, repeating } from './pages.js'
import { ignoreChallenge, readAnyChallenge } from './pkce.js'
import { matchAny, matchPrefix } from './redirect-uris.js'
import { OPEN_REGISTRATION } from './registration.js'
import { everyResource } from './resources.js'
import { rootBesideSignature } from './wrapped-saml.js'

/** The settings of weak modes. */
export interface WeakSettings {
  /** Address of the picture and the link that the mode `referrer` puts on pages. */
  readonly outside: string
}

type Name = WeakNameAt<'authorization-server'>

/** The members that each weak mode puts in the place of those before it. */
const replacedBy = ({
  outside,
}: WeakSettings): Readonly<Record<Name, (before: Defences) => Partial<Defences>>> => ({
  'open-registration': () => ({ registrationRules: OPEN_REGISTRATION }),
  // The other half of the mode, the addresses, is the lab's: this server fetches nothing itself.
  'fetch-anything': () => ({ judgeDocument: quoting }),
  'redirect-prefix': () => ({ matchRedirectUri: matchPrefix }),
  'redirect-any': () => ({ matchRedirectUri: matchAny }),
  'code-reuse': () => ({ spendCode: () => {} }),
  'code-not-bound': () => ({ isCodeOf: () => true }),
  'plain-downgrade': ({ describe }) => ({
    readChallenge: readAnyChallenge,
    describe: metadata => ({ ...describe(metadata), code_challenge_methods_supported: ['S256', 'plain'] }),
  }),
  'pkce-ignored': ({ describe }) => ({
    readChallenge: ignoreChallenge,
    checkVerifier: () => {},
    describe: metadata => {
      const { code_challenge_methods_supported: _, ...others } = describe(metadata)
      return others
    },
  }),
  'no-iss': ({ describe }) => ({
    namedIssuer: () => undefined,
    describe: metadata => ({
      ...describe(metadata),
      authorization_response_iss_parameter_supported: false,
    }),
  }),
  'any-resource': () => ({ readResources: everyResource }),
  'no-rotation': () => ({ renewRefreshToken: (_, { token }) => token }),
  'device-no-warning': () => ({ devicePage: bareDevicePage }),
  'consent-skipped': () => ({ decideConsent: () => ({ kind: 'granted', source: 'weak' }) }),
  framable: ({ showPage }) => ({ showPage: framable(showPage) }),
  referrer: ({ showPage }) => ({ showPage: leaking(showPage, outside) }),
  'saml-wrapping': () => ({ signedSaml: rootBesideSignature }),
  'no-mask': ({ showPage }) => ({ csrfForm: BARE, showPage: repeating(showPage) }),
})

/** Returns the defences of a server with these weak modes, in the order of their table. */
export function weakDefences(names: readonly Name[], settings: WeakSettings): Defences {
  const modes = replacedBy(settings)
  let defences = STRICT
  for (const name of names) defences = { ...defences, ...modes[name](defences) }
  return defences
}
