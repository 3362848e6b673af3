import { OAuthError } from '../protocol/oauth/oauth-error.js'
import type { TokenResponse } from '../protocol/oauth/token.js'
import { stepToken } from './answers/verify-tokens.js'
import { endpoint } from './metadata/endpoint.js'
import { detailsParameters, type FlowOptions } from './options.js'
import { afterwards, type PlanOptions, tokenStep } from './plans/plan-parts.js'
import type { FlowPorts } from './ports.js'
import type { AssertionSource } from './requests/assertion-source.js'
import type { PlannedStep } from './step.js'
import { spendTokens } from './steps/check-step.js'
import { unguessable } from './steps/front-channel.js'
import { trade } from './steps/token-step.js'
import { flowOf, type Steps, type Walk } from './walk.js'

/** Milliseconds. The client sends an assertion at once. */
const LIFETIME = 5 * 60_000

const formats = {
  jwt: {
    grantType: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
    name: 'JWT',
    making: '7523 §3',
    sending: '7523 §2.1',
  },
  saml: {
    grantType: 'urn:ietf:params:oauth:grant-type:saml2-bearer',
    name: 'SAML',
    making: '7522 §3',
    sending: '7522 §2.1',
  },
} as const

/** The steps of an assertion grant before they happen (RFC 7521 §4.1). */
export function assertionPlan(options: PlanOptions): PlannedStep[] {
  const { name, making, sending } = formats[options.assertion?.format ?? 'jwt']
  return [
    {
      name: 'assertion',
      from: 'client',
      to: 'client',
      title: options.assertion?.given ? `take the ${name} assertion` : `sign a ${name} assertion`,
      rfc: making,
      why: 'Somebody whom the authorization server believes signs who the resource owner is; here the client holds that key.',
    },
    tokenStep(options, {
      rfc: sending,
      why: 'The client trades the assertion for a token. No browser and no password take part.',
    }),
    ...afterwards(options).filter(each => each.name !== 'userinfo_request'),
  ]
}

/** An assertion as a grant (RFC 7521 §4.1): JWT (RFC 7523) or SAML 2.0 (RFC 7522). */
export const assertionFlow = flowOf(assertionPlan, steps)

async function* steps(walk: Walk, ports: FlowPorts, wanted: FlowOptions): Steps<TokenResponse> {
  const { assertion: source, scope } = wanted
  if (source === undefined) {
    const description = 'there is nobody who makes assertions'
    throw new OAuthError('no_assertion_issuer', { description, rule: 'RFC 7521 §3' })
  }
  const assertion = await make(source, ports, wanted)
  yield walk.step('assertion', {
    token: stepToken('assertion', assertion),
    note: source.given
      ? 'signed elsewhere, and sent as it is'
      : `${source.issuer} says: this is ${source.subject}`,
  })
  const tokens = yield* trade(walk, wanted, {
    grantType: formats[source.format].grantType,
    parameters: [['assertion', assertion], ['scope', scope], ...detailsParameters(wanted)],
  })
  return yield* spendTokens(walk, ports, wanted, tokens, { login: false })
}

function make(
  { issuer, subject, make: sign }: AssertionSource,
  { now, random }: FlowPorts,
  { metadata }: FlowOptions,
): Promise<string> {
  const issuedAt = now()
  return sign({
    issuer,
    subject,
    // RFC 7523 §3: without a known issuer the audience is the token endpoint.
    audience: metadata.issuer ?? endpoint(metadata, 'token_endpoint'),
    recipient: endpoint(metadata, 'token_endpoint'),
    id: unguessable(random),
    issuedAt,
    expiresAt: issuedAt + LIFETIME,
  })
}
