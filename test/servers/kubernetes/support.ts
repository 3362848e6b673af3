import { expect } from 'vitest'
import { CLUSTER_KEYS } from '../../../src/lab/keys/signing-keys.js'
import type { NewEvent } from '../../../src/protocol/events.js'
import {
  bytes,
  type HeaderList,
  type HttpResponse,
  header,
  text,
} from '../../../src/protocol/http/message.js'
import { fixedKeyring, generateSigningKeyPem } from '../../../src/protocol/tokens/keys.js'
import { createCluster } from '../../../src/servers/kubernetes/emulator/cluster.js'
import type { ClusterPorts, ClusterSettings } from '../../../src/servers/kubernetes/emulator/settings.js'
import type {
  ServiceAccount,
  Status,
  TokenRequest,
  TokenReview,
} from '../../../src/servers/kubernetes/shapes.js'
import { recordingSite } from '../../support/ask.js'

export const BASE = 'https://localhost:8445'
export const ADMIN = 'lab-admin-token'
export const LIMITED = 'lab-limited-token'
export const KEY_PEM = await generateSigningKeyPem()
export const key = await CLUSTER_KEYS.load(KEY_PEM)

export const TOKEN_PATH = '/api/v1/namespaces/lab/serviceaccounts/demo/token'
export const REVIEW_PATH = '/apis/authentication.k8s.io/v1/tokenreviews'

const settings: ClusterSettings = {
  baseUrl: BASE,
  issuer: BASE,
  apiAudiences: [],
  maxTokenExpiration: 172_800,
  extendedExpiration: true,
  oidc: [],
  publicDiscovery: true,
  anonymous: true,
  nodes: ['node-1', 'node-2'],
  namespaces: {
    default: { serviceAccounts: ['demo'], pods: [], secrets: [] },
    lab: {
      serviceAccounts: ['builder', 'demo', 'other'],
      pods: [
        { name: 'web-0', serviceAccount: 'demo', node: 'node-1' },
        { name: 'loose', serviceAccount: 'demo' },
      ],
      secrets: ['demo-key'],
    },
  },
  tokens: [
    { token: ADMIN, username: 'admin', uid: 'uid-admin', groups: ['system:masters'] },
    { token: LIMITED, username: 'limited', groups: [] },
  ],
}

/** One answer, with its body read. */
export interface Answer {
  readonly response: HttpResponse
  readonly status: number
  readonly text: string
  header(name: string): string | undefined
  json<T>(): T
}

/** A cluster with a clock of its own, and what happened on it. */
export function testCluster(own: Partial<ClusterSettings> = {}, ports: Partial<ClusterPorts> = {}) {
  const events: NewEvent[] = []
  const clock = { now: Date.UTC(2026, 10, 21, 12) }
  let drawn = 0
  const cluster = createCluster(
    { ...settings, ...own },
    {
      now: () => clock.now,
      random: length => Uint8Array.from({ length }, () => (drawn++ * 37) & 0xff),
      keyring: async () => fixedKeyring(key),
      ...ports,
    },
  )
  const site = recordingSite(cluster, events)

  async function ask(
    method: string,
    path: string,
    { body, bearer = ADMIN, headers = [] }: AskOptions = {},
  ): Promise<Answer> {
    const sent = body === undefined || typeof body === 'string' ? (body ?? '') : JSON.stringify(body)
    const raw = body instanceof Uint8Array ? body : bytes(sent)
    const response = await site.handle({
      method,
      url: `${BASE}${path}`,
      headers: [...(bearer === null ? [] : [['authorization', `Bearer ${bearer}`] as const]), ...headers],
      body: raw,
    })
    return {
      response,
      status: response.status,
      text: text(response.body),
      header: name => header(response, name),
      json: <T>() => JSON.parse(text(response.body)) as T,
    }
  }

  const requestToken = async (spec: TokenRequest['spec'] = {}, path = TOKEN_PATH) => {
    const answer = await ask('POST', path, { body: { spec } })
    if (answer.status !== 201) throw new Error(answer.text)
    return answer.json<Required<TokenRequest>>().status.token
  }
  const review = async (token: string, audiences?: readonly string[]) => {
    const answer = await ask('POST', REVIEW_PATH, { body: { spec: { token, audiences } } })
    return answer.json<Required<TokenReview>>().status
  }
  const account = async (name: string, namespace = 'lab') =>
    (await ask('GET', `/api/v1/namespaces/${namespace}/serviceaccounts/${name}`)).json<ServiceAccount>()
  return { ask, requestToken, review, account, events, clock, site }
}

export interface AskOptions {
  readonly body?: unknown
  /** null: none. */
  readonly bearer?: string | null
  readonly headers?: HeaderList
}

/** The Status of a refusal. */
export const statusOf = (answer: Answer): Status => answer.json<Status>()

/** Checks the status of a refusal and a part of its message. */
export function expectStatus(answer: Answer, code: number, part: string): void {
  expect([answer.status, statusOf(answer).message]).toEqual([code, expect.stringContaining(part)])
}
