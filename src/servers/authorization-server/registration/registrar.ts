import { type HttpRequest, mediaType, text } from '../../../protocol/http/message.js'
import { shown } from '../../../protocol/oauth/check.js'
import type { Client } from '../../../protocol/oauth/client.js'
import { taggedMember } from '../../../protocol/oauth/client-metadata.js'
import { isRefusal, OAuthError } from '../../../protocol/oauth/oauth-error.js'
import { type DecodedJwt, decodeJwt } from '../../../protocol/tokens/decode.js'
import { verifyJwt } from '../../../protocol/tokens/verify.js'
import { defined, isJsonObject, type JsonObject, parsedJson } from '../../../protocol/values.js'
import type { Publish } from '../events.js'
import { limitBody } from '../parameters/form-body.js'
import type { BaseParts } from '../parts.js'
import type { RegistrationSettings, StatementIssuer } from '../settings.js'
import { readClientMetadata } from './client-metadata.js'
import type { InformationContext } from './members.js'
import { bodyError, metadataError, type RegistrationErrorCode } from './registration-route.js'

/** A client whose metadata were checked. */
interface CheckedClient {
  readonly client: Client
  readonly ignored: readonly string[]
  /** The software statement, and its issuer. Absent: there was none. */
  readonly statement?: string | undefined
  readonly statementIssuer?: string | undefined
}

/** The client whose metadata are read. */
interface Registrant {
  readonly clientId: string
  /** Returns the client's secret. It is called only for a client that uses one. */
  readonly secret: () => string
}

/**
 * Reads the JSON object of a request.
 * @throws OAuthError `invalid_client_metadata` for a body of another form
 */
export function readBody(http: HttpRequest): JsonObject {
  limitBody(http)
  const type = mediaType(http)
  if (type !== 'application/json') {
    const found = type === '' ? 'it has none' : `not ${type}`
    throw bodyError(`the body must be JSON with content-type application/json; ${found}`)
  }
  const body = parsedJson(text(http.body))
  if (body === undefined) throw bodyError('the body is no JSON')
  if (!isJsonObject(body)) throw bodyError('the body is no JSON object')
  return body
}

/**
 * Returns the members of a request with those of its software statement, which go first (RFC 7591 §3.1.1). A client adds no
 * translations of a stated value: they would show people another name than the one that the issuer vouches for.
 */
function withStatement(body: JsonObject, claims: JsonObject): JsonObject {
  const isTranslation = (name: string) => Object.hasOwn(claims, taggedMember(name)?.member ?? '')
  const own = Object.entries(body).filter(([name]) => !isTranslation(name))
  return { ...Object.fromEntries(own), ...claims }
}

/** Checks the metadata of a client. @throws OAuthError that names every fault */
export type CheckMetadata = (
  body: JsonObject,
  registrant: Registrant,
  publish: Publish,
) => Promise<CheckedClient>

/** Makes the check of metadata that registrations and updates share. */
export function createRegistrar(
  { settings, defences, issuer, checkSector, now }: BaseParts,
  registration: RegistrationSettings,
  information: InformationContext,
): CheckMetadata {
  const { profile } = settings
  const { registrationRules: rules } = defences
  const audiences = [issuer, `${issuer}/register`]
  // The weak mode open-registration calls the addresses of a registration like those of the lab file.
  const addressProblem = rules.introduced === undefined ? undefined : information.addressProblem

  /** Refuses a client whose sector document lacks one of its addresses (OpenID Connect Registration §5). */
  async function refuseForeignSector(client: Client, publish: Publish): Promise<void> {
    try {
      await checkSector(client, publish, true)
    } catch (error) {
      if (!isRefusal(error, ['unauthorized_client'])) throw error
      const { description: problem } = error
      const rule = 'OpenID Connect Registration §5'
      throw metadataError([
        { error: 'invalid_client_metadata', member: 'sector_identifier_uri', problem, rule },
      ])
    }
  }

  return async (body, registrant, publish) => {
    const sent = Object.hasOwn(body, 'software_statement') ? body.software_statement : undefined
    const stated =
      sent === undefined || sent === null
        ? undefined
        : await verifySoftwareStatement(sent, {
            issuers: registration.statementIssuers,
            audiences,
            now: now(),
          })
    const metadata = stated === undefined ? body : withStatement(body, stated.claims)
    const result = readClientMetadata(metadata, {
      ...information,
      addressProblem,
      ...registrant,
      profile,
      rules,
    })
    if ('faults' in result) throw metadataError(result.faults)
    await refuseForeignSector(result.client, publish)
    return defined({
      client: result.client,
      ignored: [
        ...result.ignored.filter(name => Object.hasOwn(body, name)),
        ...Object.keys(body).filter(name => !Object.hasOwn(metadata, name)),
      ],
      statement: stated && (sent as string),
      statementIssuer: stated?.issuer,
    })
  }
}

/** Longest software statement, in characters. */
const MAX_LENGTH = 16 * 1024

const RULE = 'RFC 7591 §2.3'

const invalid = (description: string, evidence?: string) =>
  new OAuthError<RegistrationErrorCode>('invalid_software_statement', { description, rule: RULE, evidence })

const unapproved = (description: string, evidence?: string) =>
  new OAuthError<RegistrationErrorCode>('unapproved_software_statement', {
    description,
    rule: RULE,
    evidence,
  })

/** The server that a software statement is shown to. */
interface StatementExpectations {
  readonly issuers: readonly StatementIssuer[]
  /** Values of `aud` that name this server. A statement may have no `aud`. */
  readonly audiences: readonly string[]
  readonly now: number
}

/** A statement whose signature and times were checked. */
interface VerifiedStatement {
  readonly issuer: string
  /** Its claims. Those about a client go before the members beside the statement (RFC 7591 §3.1.1). */
  readonly claims: JsonObject
}

function decode(statement: string): DecodedJwt {
  if (statement.length > MAX_LENGTH)
    throw invalid(`software_statement is longer than ${MAX_LENGTH} characters`)
  return decodeJwt(statement, problem => invalid(`software_statement is no JWT: ${problem}`))
}

/**
 * Verifies a software statement: a JWT about the software of a client, signed by an issuer that this server trusts
 * (RFC 7591 §2.3).
 * @throws OAuthError `unapproved_software_statement` for a foreign issuer, `invalid_software_statement` for any other fault
 */
async function verifySoftwareStatement(
  statement: unknown,
  { issuers, audiences, now }: StatementExpectations,
): Promise<VerifiedStatement> {
  if (typeof statement !== 'string') throw invalid('software_statement is no text')
  if (issuers.length === 0) {
    throw unapproved('this server trusts no issuer of software statements; leave software_statement out')
  }
  const { iss, aud } = decode(statement).claims
  if (typeof iss !== 'string') throw invalid('software_statement has no iss')
  const issuer = issuers.find(each => each.issuer === iss)
  if (issuer === undefined) {
    throw unapproved('this server does not trust the issuer of software_statement', `iss: ${shown(iss)}`)
  }
  const verdict = await verifyJwt(
    statement,
    { kind: 'jwks', jwks: issuer.jwks },
    { issuer: iss, now, mayLackExp: true },
  )
  const broken = verdict.checks.find(each => !each.ok)
  if (!verdict.ok) {
    throw invalid(`software_statement is refused: ${broken?.name ?? 'a check failed'}`, broken?.detail)
  }
  const named: readonly unknown[] = Array.isArray(aud) ? aud : [aud]
  if (aud !== undefined && !named.some(each => audiences.some(own => own === each))) {
    throw invalid('aud of software_statement does not name this server', `aud: ${named.map(shown).join(' ')}`)
  }
  return { issuer: iss, claims: verdict.token.claims as JsonObject }
}
