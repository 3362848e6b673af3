import { createSubjects, type Subjects } from '../pairwise/subjects.js'
import type { AuthorizationServerPorts, AuthorizationServerSettings } from '../settings.js'
import type { ClientKeys } from '../stores/client-keys.js'
import type { IssuedTokens } from '../stores/issued-tokens.js'
import type { Registry } from '../stores/registry.js'
import { createAccessTokenReader, type ReadAccessToken, withMacTokens } from './access-tokens.js'
import { type ClaimSources, createClaimSources } from './claim-sources.js'
import { type ClientResponses, createClientResponses } from './client-responses.js'
import { createIdTokens, createTokenIssuer, type IssueTokens, type SignIdToken } from './token-issuer.js'

/** The parts of a server that read and make tokens. */
export interface TokenParts {
  readonly subjects: Subjects
  readonly responses: ClientResponses
  readonly claimSources: ClaimSources
  readonly readAccessToken: ReadAccessToken
  /** Also reads tokens of type mac, for endpoints that get a token as a parameter. */
  readonly readShownToken: ReadAccessToken
  readonly signIdToken: SignIdToken
  readonly issueTokens: IssueTokens
}

/** Makes the parts that read and make tokens. */
export function createTokenParts(parts: {
  readonly settings: AuthorizationServerSettings
  readonly ports: AuthorizationServerPorts
  readonly registry: Registry
  readonly clientless: { readonly has: (clientId: string) => boolean }
  readonly issuedTokens: IssuedTokens
  readonly clientKeys: ClientKeys
}): TokenParts {
  const { settings, ports, registry, clientKeys } = parts
  const { now, random, keyring, macTokens } = ports
  const salt = ports.pairwiseSalt ?? (async () => random(32))
  const subjects = createSubjects({ registry, users: settings.users, salt })
  const responses = createClientResponses({ keyring, clientKeys })
  const readAccessToken = createAccessTokenReader({ ...parts, subjects })
  const claimSources = createClaimSources({ settings, ports, registry })
  const signIdToken = createIdTokens({ settings, ports, responses, subjects, claimSources })
  return {
    subjects,
    responses,
    claimSources,
    readAccessToken,
    readShownToken: withMacTokens(readAccessToken, { registry, subjects, tokens: macTokens, now }),
    signIdToken,
    issueTokens: createTokenIssuer({ ...parts, subjects, signIdToken }),
  }
}
