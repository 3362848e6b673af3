import { assertionFlow, assertionPlan } from './assertion.js'
import { cibaFlow, cibaPlan } from './ciba.js'
import { clientCredentialsFlow, clientCredentialsPlan } from './client-credentials.js'
import { codeFlow, codePlan } from './code.js'
import { deviceFlow, devicePlan } from './device.js'
import { hybridFlow, hybridPlan } from './hybrid.js'
import { implicitFlow, implicitPlan } from './implicit.js'
import { logoutFlow, logoutPlan } from './logout.js'
import { discoveryStep } from './metadata/discovery.js'
import type { FlowOptions } from './options.js'
import { passwordFlow, passwordPlan } from './password.js'
import type { PlanOptions } from './plans/plan-parts.js'
import type { AllPorts } from './ports.js'
import { refreshFlow, refreshPlan } from './refresh.js'
import { resourceFlow, resourcePlan } from './resource.js'
import type { FlowRecord, PlannedStep } from './step.js'
import { tokenExchangeFlow, tokenExchangePlan } from './token-exchange.js'

/** A user agent at a redirect_uri, a resource owner with a password, a resource server, an assertion issuer. */
export type Need = 'redirect' | 'login' | 'resource' | 'assertion'

export interface Flow {
  /** For people, as in `authorization code`. */
  readonly title: string
  readonly needs: readonly Need[]
  readonly plan: (options: PlanOptions) => PlannedStep[]
  readonly run: (ports: AllPorts, wanted: FlowOptions) => AsyncGenerator<FlowRecord, void, void>
}

/** All flows by the names that people type. */
export const flows = {
  code: { title: 'authorization code', needs: ['redirect', 'login'], plan: codePlan, run: codeFlow },
  implicit: { title: 'implicit', needs: ['redirect', 'login'], plan: implicitPlan, run: implicitFlow },
  hybrid: { title: 'hybrid', needs: ['redirect', 'login'], plan: hybridPlan, run: hybridFlow },
  resource: {
    title: 'protected resource',
    needs: ['redirect', 'login', 'resource'],
    plan: resourcePlan,
    run: resourceFlow,
  },
  password: {
    title: 'resource owner password',
    needs: ['login'],
    plan: passwordPlan,
    run: passwordFlow,
  },
  'client-credentials': {
    title: 'client credentials',
    needs: [],
    plan: clientCredentialsPlan,
    run: clientCredentialsFlow,
  },
  refresh: { title: 'refresh token', needs: ['redirect', 'login'], plan: refreshPlan, run: refreshFlow },
  assertion: { title: 'assertion', needs: ['assertion'], plan: assertionPlan, run: assertionFlow },
  device: { title: 'device', needs: ['login'], plan: devicePlan, run: deviceFlow },
  ciba: { title: 'backchannel authentication', needs: ['login'], plan: cibaPlan, run: cibaFlow },
  'token-exchange': {
    title: 'token exchange',
    needs: ['redirect', 'login'],
    plan: tokenExchangePlan,
    run: tokenExchangeFlow,
  },
  logout: { title: 'logout', needs: ['redirect', 'login'], plan: logoutPlan, run: logoutFlow },
} as const satisfies Readonly<Record<string, Flow>>

export type FlowName = keyof typeof flows

/** Every step that a plan may have, for a client that asks for everything. */
export function allPlannedSteps(): PlannedStep[] {
  const options: PlanOptions = {
    metadata: { issuer: '', jwks_uri: '', userinfo_endpoint: '' },
    redirectUri: '',
    postLogoutRedirectUri: '',
    scope: 'openid',
    resource: '',
  }
  const ways: Partial<PlanOptions>[] = [
    {},
    { first: 'password' },
    { push: true },
    { requestObject: { kind: 'signed' } },
    { tokenType: 'mac' },
    { backchannel: { hint: { name: 'login_hint', value: '' }, notificationEndpoint: '' } },
    { assertion: { format: 'saml', issuer: '', subject: '', make: async () => '' } },
  ]
  const planned = Object.values<Flow>(flows).flatMap(({ plan }) =>
    ways.flatMap(way => plan({ ...options, ...way })),
  )
  return [discoveryStep('https://localhost'), ...planned]
}
