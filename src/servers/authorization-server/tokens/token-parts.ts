import { createSubjects, type Subjects } from '../pairwise/subjects.js'
import type { BaseParts } from '../parts.js'
import { createAccessTokenReader, type ReadAccessToken, withMacTokens } from './access-tokens.js'
import { type ClaimSources, createClaimSources } from './claim-sources.js'
import { type ClientResponses, createClientResponses } from './client-responses.js'
import { createIdTokens, createTokenIssuer, type IssueTokens, type SignIdToken } from './token-issuer.js'

/** The parts of a server that read and make tokens. */
export interface TokenParts extends BaseParts {
  readonly subjects: Subjects
  readonly responses: ClientResponses
  readonly claimSources: ClaimSources
  readonly readAccessToken: ReadAccessToken
  /** Also reads tokens of type mac, for endpoints that get a token as a parameter. */
  readonly readShownToken: ReadAccessToken
  readonly signIdToken: SignIdToken
  readonly issueTokens: IssueTokens
}

/** Adds the parts that read and make tokens. */
export function withTokenParts(base: BaseParts): TokenParts {
  const { settings, ports, registry, random } = base
  const salt = ports.pairwiseSalt ?? (async () => random(32))
  const subjects = createSubjects({ registry, users: settings.users, salt })
  const responses = createClientResponses(base)
  const claimSources = createClaimSources(base)
  const readAccessToken = createAccessTokenReader({ ...base, subjects })
  const signIdToken = createIdTokens({ ...base, responses, subjects, claimSources })
  return {
    ...base,
    subjects,
    responses,
    claimSources,
    readAccessToken,
    readShownToken: withMacTokens(readAccessToken, { ...base, subjects }),
    signIdToken,
    issueTokens: createTokenIssuer({ ...base, subjects, signIdToken }),
  }
}
