import type { Csrf } from '../../protocol/http/csrf.js'
import type { DecryptionKeys } from '../../protocol/tokens/encryption.js'
import type { AlgorithmKeyring } from '../../protocol/tokens/keys.js'
import type { ReplayGuard } from '../../protocol/tokens/replay-guard.js'
import type { Defences } from './defences.js'
import type { Faults } from './endpoints/faults.js'
import type { GuessLimit } from './logins/guess-limit.js'
import type { CheckOneTimeCode } from './logins/one-time-codes.js'
import type { CheckPassword } from './logins/passwords.js'
import type { PendingLogins, Sessions } from './logins/sessions.js'
import type { CheckSector } from './pairwise/sector-documents.js'
import type { FindKnownResources } from './parameters/resources.js'
import type { AuthorizationServerPorts, AuthorizationServerSettings } from './settings.js'
import type { ClientKeys } from './stores/client-keys.js'
import type { ClientlessClients } from './stores/clientless-clients.js'
import type { Codes } from './stores/codes.js'
import type { BackchannelRequests, DeviceCodes } from './stores/device-codes.js'
import type { IssuedTokens } from './stores/issued-tokens.js'
import type { PushedRequests } from './stores/pushed-requests.js'
import type { RefreshTokens } from './stores/refresh-tokens.js'
import type { RegisteredClients, Registry } from './stores/registry.js'

/**
 * The settings, stores and limits of one server, made once. `TokenParts` adds what reads and makes tokens, `ServerParts`
 * what the endpoints share. Each function takes the parts that it needs.
 */
export interface BaseParts {
  readonly settings: AuthorizationServerSettings
  readonly ports: AuthorizationServerPorts
  readonly defences: Defences
  readonly faults: Faults
  readonly issuer: string
  readonly now: () => number
  readonly random: (length: number) => Uint8Array
  readonly keyring: AlgorithmKeyring
  readonly decryptionKeys: DecryptionKeys
  readonly registry: Registry
  readonly registered: RegisteredClients
  readonly clientless: ClientlessClients
  readonly clientKeys: ClientKeys
  readonly codes: Codes
  readonly issuedTokens: IssuedTokens
  readonly refreshTokens: RefreshTokens
  readonly deviceCodes: DeviceCodes
  readonly backchannelRequests: BackchannelRequests
  readonly pushed: PushedRequests
  readonly pendingLogins: PendingLogins
  readonly sessions: Sessions
  readonly csrf: Csrf
  readonly checkPassword: CheckPassword
  readonly checkOneTimeCode: CheckOneTimeCode
  readonly checkSector: CheckSector
  readonly findKnownResources: FindKnownResources
  /** Counts wrong passwords on pages. */
  readonly loginLimit: GuessLimit
  /** Counts wrong passwords at the token endpoint. */
  readonly passwordLimit: GuessLimit
  /** Counts wrong secrets of clients. */
  readonly secretLimit: GuessLimit
  /** The ids of used assertions of grants. Each assertion is accepted once. */
  readonly assertionReplay: ReplayGuard
  /** The ids of used client assertions. Each assertion is accepted once (RFC 7523 §3). */
  readonly clientAssertionReplay: ReplayGuard
}
