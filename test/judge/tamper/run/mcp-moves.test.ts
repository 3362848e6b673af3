import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTransport } from '../../../../src/client/transport.js'
import { exitCodeOf } from '../../../../src/commands/flow/flow-output.js'
import type { McpOptions } from '../../../../src/flows/mcp/options.js'
import { groupOf } from '../../../../src/judge/doctor/move-flow.js'
import { documentLieOf, type Move } from '../../../../src/judge/tamper/move.js'
import { moves, whyNotIn } from '../../../../src/judge/tamper/moves.js'
import { withMcpMove } from '../../../../src/judge/tamper/run/mcp-run.js'
import { mcpShape } from '../../../../src/judge/tamper/shape.js'
import { startLab } from '../../../../src/lab/lab.js'
import { loadLabConfig } from '../../../../src/lab/lab-file/config.js'
import type { Lab } from '../../../../src/lab/model.js'
import type { HttpRequest } from '../../../../src/protocol/http/message.js'
import { type McpSetup, mcpSession } from '../../../../src/session/flow/mcp-session.js'
import { outside } from '../../../../src/session/targets/target.js'
import { collect, outcomeIn, stepsOf } from '../../../flows/support/records.js'
import { expectListed, expectNumbers } from '../../../flows/support/step-numbers.js'
import { sharedFolder } from '../../../support/shared.js'
import { move } from '../named-move.js'

const { path: home } = sharedFolder()
let lab: Lab
let transport: ReturnType<typeof createTransport>
let setup: McpSetup
const sent: HttpRequest[] = []
beforeAll(async () => {
  const config = await loadLabConfig(null)
  lab = await startLab({ config, home, ports: { authorization: 0, resource: 0 } })
  const { caPem } = lab
  transport = createTransport({ caPem })
  const address = `${lab.urls.resource}/mcp`
  setup = {
    target: { ...outside, address, caPem, users: config.users, ofLab: true },
    options: {
      url: address,
      redirectUri: 'http://127.0.0.1:0/callback',
      grant: 'authorization_code',
      info: { name: 'oauth-lab', version: '1' },
    },
    home,
    network: async (request, options) => {
      sent.push(request)
      return transport.send(request, options)
    },
    people: {
      user: { username: 'alice', password: 'wonderland' },
      inBrowser: false,
      open: false,
      patience: undefined,
    },
  }
})
afterAll(async () => {
  transport?.close()
  await lab?.stop()
})

async function run(name: string | undefined, more: Partial<McpOptions> = {}) {
  sent.length = 0
  const honest = mcpSession({ ...setup, options: { ...setup.options, ...more } })
  const session = name === undefined ? honest : honest.with(withMcpMove(move(name)))
  const records = await collect(session.walk({ say: () => {}, signal: AbortSignal.timeout(20_000) }))
  return { records, outcome: outcomeIn(records), steps: stepsOf(records), plan: session.plan }
}

/** The error that each move of an MCP client alone, or with a document, is refused with, and the status of the answer where a server refused it. */
const answers: Readonly<Record<string, readonly [error: string, status?: number]>> = {
  'foreign-resource-metadata': ['resource_mismatch'],
  'foreign-issuer-metadata': ['issuer_mismatch'],
  'metadata-without-pkce': ['no_pkce'],
  'redirected-message': ['invalid_response'],
  'script-redirect-registration': ['invalid_redirect_uri', 400],
  'data-redirect-registration': ['invalid_redirect_uri', 400],
  'fragment-redirect-registration': ['invalid_redirect_uri', 400],
  'http-redirect-registration': ['invalid_redirect_uri', 400],
  'foreign-software-statement': ['unapproved_software_statement', 400],
  'both-key-sources': ['invalid_client_metadata', 400],
  'document-of-other-client': ['unauthorized_client', 400],
  'document-without-redirect-uri': ['invalid_request', 400],
  'redirected-document': ['unauthorized_client', 400],
  'oversized-document': ['unauthorized_client', 400],
  'html-document': ['unauthorized_client', 400],
  'document-with-secret': ['unauthorized_client', 400],
  'private-document-address': ['unauthorized_client', 400],
  'document-address-with-fragment': ['unauthorized_client', 400],
  'document-address-with-dot-segments': ['unauthorized_client', 400],
  'document-address-without-path': ['unauthorized_client', 400],
  'no-resource': ['invalid_token', 401],
}

/** Moves of other flows, one of each message that they change. */
const shared: Readonly<Record<string, readonly [error: string, status?: number]>> = {
  'wrong-iss': ['issuer_mismatch'],
  'drop-iss': ['issuer_mismatch'],
  'change-state': ['state_mismatch'],
  'unregistered-redirect-uri': ['invalid_request', 400],
  'no-challenge': ['invalid_request'],
  'no-csrf-cookie': ['error_page', 403],
  'wrong-verifier': ['invalid_grant', 400],
  'reuse-code': ['invalid_grant', 400],
  'no-token': ['http_401', 401],
  'altered-token': ['invalid_token', 401],
  'hmac-with-public-key': ['invalid_token', 401],
  'other-audience': ['invalid_token', 401],
  'token-in-query': ['invalid_request', 400],
}

describe('a wrong move of an MCP client', () => {
  it.each(Object.entries({ ...answers, ...shared }))(
    '%s is refused as expected',
    async (name, [error, status]) => {
      const { records, outcome, steps, plan } = await run(name)
      expect(outcome).toMatchObject({
        outcome: 'refused',
        expected: true,
        error: { error, rule: move(name).rule },
      })
      expect(exitCodeOf(outcome, { exitCode: () => undefined })).toBe(0)
      const last = steps.at(-1)
      expect(last?.checks?.at(-1)).toMatchObject({ name: 'tamper', ok: true })
      if (status !== undefined) expect(last?.exchange?.response?.status).toBe(status)
      expectNumbers(records, plan, name)
      expectListed(records, plan, name)
      expect(sent.filter(({ url }) => new URL(url).host === 'attacker.example')).toEqual([])
    },
  )

  it('is in this table', () => {
    const own = moves.filter(each => each.only === 'mcp' || documentLieOf(each) !== undefined)
    expect(own.map(({ name }) => name)).toEqual(Object.keys(answers))
  })

  const revisions = ['2025-06-18', '2025-11-25'] as const
  it.each(revisions)('shows its token in the first message of %s', async revision => {
    for (const name of ['altered-token', 'no-resource', 'redirected-message']) {
      const { outcome, steps, plan } = await run(name, { revision })
      expect(outcome, name).toMatchObject({ expected: true })
      expect([steps.at(-1)?.name, plan.at(-1)?.name], name).toEqual([
        'initialize_request',
        'initialize_request',
      ])
    }
  })

  it('is made with a bound token where the token itself is not wrong', async () => {
    const { generateDpopKey } = await import('../../../../src/protocol/tokens/dpop.js')
    const dpop = await generateDpopKey()
    expect((await run('no-resource', { dpop })).outcome).toMatchObject({ expected: true })
    await expect(run('altered-token', { dpop })).rejects.toThrow('leave --dpop out')
  })

  it('has an honest counterpart with a document', async () => {
    const { outcome, steps } = await run(undefined, { register: 'document' })
    expect(outcome.outcome).toBe('granted')
    expect(steps.find(({ name }) => name === 'client_registration')?.note).toMatch(
      /^client_id is https:\/\/localhost:\d+\/client\.json$/,
    )
  })
})

describe('a wrong move that has no place', () => {
  const given = { given: { clientId: 'demo-spa' } }
  it.each<[name: string, more: Partial<McpOptions>, why: string]>([
    ['script-redirect-registration', given, 'leave --client-id out'],
    ['script-redirect-registration', { register: 'document' }, '--register dynamic'],
    ['html-document', given, 'leave --client-id out'],
    ['html-document', { register: 'dynamic' }, '--register document'],
    ['html-document', { document: 'https://app.example/client.json' }, 'leave --client-document out'],
    ['script-redirect-registration', { grant: 'client_credentials' }, 'registered before'],
    ['drop-state', { grant: 'client_credentials' }, 'no authorization request'],
    ['no-resource', { revision: '2025-03-26' }, 'names no resource'],
    ['foreign-resource-metadata', { revision: '2025-03-26' }, 'reads no metadata'],
    ['metadata-without-pkce', { revision: '2025-06-18' }, 'goes on without'],
    ['expired-code', {}, 'the clock'],
    ['replayed-proof', {}, 'flow resource'],
    ['foreign-request-object', {}, 'no request object'],
    ['injected-code', {}, 'no id_token'],
  ])('%s with %j is an error before anything is sent', async (name, more, why) => {
    await expect(run(name, more)).rejects.toThrow(why)
    expect(sent).toEqual([])
  })

  it('at the server ends before the move, with the reason', async () => {
    const { outcome } = await run('wrong-secret')
    expect(outcome).toMatchObject({
      error: { error: 'not_here', error_description: expect.stringMatching(/secret/) },
    })
    expect(exitCodeOf(outcome, { exitCode: () => undefined })).toBe(2)
  })

  it('is no move of another flow', () => {
    const own = moves.filter(({ only }) => only === 'mcp')
    const shape = { asks: 'code', grants: ['code'] } as const
    for (const each of own) expect(whyNotIn(each, shape)).toContain('flow mcp')
    expect(own.flatMap(each => groupOf(each) ?? [])).toEqual([])
    expect(
      own.flatMap((each: Move) => whyNotIn(each, mcpShape({ grant: 'authorization_code' })) ?? []),
    ).toEqual([])
  })
})
