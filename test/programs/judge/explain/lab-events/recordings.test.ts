import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { eventsSince, explainEvents, summary } from '../../../../judge/explain/lab-events/support.js'
import { runHere } from '../../../../support/in-process.js'
import { sharedFolder, sharedLab } from '../../../../support/shared.js'

const lab = sharedLab()
const folder = sharedFolder()

/** Runs a command at the lab. Returns its exit code and what `serve --json` printed since, after its first line. */
async function recorded(...args: readonly string[]) {
  const before = (await lab.events()).length
  const { code, stderr } = await runHere(args, { env: lab.env })
  return { code, stderr, events: await eventsSince(lab, before) }
}

describe('a recording of serve --json', () => {
  it.each([
    ['the code grant', ['code'], ['code demo alice granted']],
    ['a pushed request', ['code', '--par'], ['code demo alice granted']],
    ['a request object', ['code', '--request-object', 'signed'], ['code demo alice granted']],
    ['a form post', ['code', '--response-mode', 'form_post'], ['code demo alice granted']],
    ['a response in a JWT', ['code', '--response-mode', 'jwt'], ['code demo alice granted']],
    ['a key-bound token', ['code', '--dpop'], ['code demo alice granted']],
    ['OpenID Connect', ['code', '--scope', 'openid email'], ['code demo alice granted']],
    ['another user', ['code', '--user', 'bob'], ['code demo bob granted']],
    ['a public client', ['code', '--client', 'demo-spa'], ['code demo-spa alice granted']],
    ['the hybrid flow', ['hybrid'], ['hybrid demo alice granted']],
    ['client credentials', ['client-credentials'], ['client_credentials demo - granted']],
    ['an assertion', ['assertion'], ['assertion demo alice granted']],
    ['a refused request before the login', ['resource'], ['code demo alice granted']],
    ['a token exchange', ['token-exchange'], ['code demo alice granted', 'exchange demo alice granted']],
    ['an approval on another device', ['ciba'], ['ciba demo alice granted']],
  ])('shows %s, and nothing wrong', async (_name, flow, expected) => {
    const { code, stderr, events } = await recorded('flow', ...flow)
    expect(code, stderr).toBe(0)
    const explanation = await explainEvents(events)
    expect(summary(explanation)).toEqual(expected)
    expect(explanation.flows[0]?.conversation.issuer).toBe(lab.ready.urls.authorization)
  })

  it.each([
    ['wrong-redirect-uri', 'redirect-uri-differs', 'RFC 6749 §4.1.3'],
    ['missing-redirect-uri', 'redirect-uri-missing', 'RFC 6749 §4.1.3'],
    ['other-client-code', 'client-differs', 'RFC 6749 §4.1.3'],
    ['reuse-code', 'code-reused', 'RFC 6749 §4.1.2'],
    ['guessed-code', 'request-refused', 'RFC 6749 §4.1.3'],
    ['repeated-code', 'parameter-repeated', 'RFC 6749 §3.2'],
    ['wrong-verifier', 'verifier-differs', 'RFC 7636 §4.6'],
    ['missing-verifier', 'verifier-missing', 'RFC 7636 §4.6'],
    ['downgrade-pkce', 'verifier-without-challenge', 'RFC 9700 §2.1.1'],
    ['plain-challenge', 'pkce-plain', 'RFC 7636 §4.4.1'],
    ['both-credentials', 'two-credentials', 'RFC 6749 §2.3'],
    ['credentials-in-query', 'secret-in-url', 'RFC 6749 §2.3.1'],
    ['wrong-secret', 'request-refused', 'RFC 6749 §3.2.1'],
    ['get-token-request', 'request-refused', 'RFC 6749 §5.2'],
    ['unknown-client', 'request-shown-error', 'RFC 6749 §4.1.2.1'],
    ['unregistered-redirect-uri', 'request-shown-error', 'RFC 9700 §4.1.3'],
    ['redirect-uri-user-info', 'redirect-uri-unsafe', 'RFC 9700 §4.1.3'],
    ['repeated-parameter', 'parameter-repeated', 'RFC 6749 §3.1'],
    ['scope-escalation', 'authorization-error', 'RFC 6749 §3.3'],
    ['no-csrf-cookie', 'login-failed', 'RFC 6749 §10.12'],
    ['altered-token', 'token-refused', 'RFC 7515 §5.2'],
    ['other-audience', 'token-refused', 'RFC 7519 §4.1.3'],
    ['token-in-query', 'token-in-url', 'RFC 9700 §4.3.2'],
  ])('of the wrong move %s names %s first, and no other fault', async (move, name, rule) => {
    const scope = ['--scope', 'openid records:read']
    const { events } = await recorded('flow', 'code', ...scope, '--tamper', move)
    const { flows } = await explainEvents(events)
    const faults = flows.flatMap(({ findings }) => findings.filter(({ severity }) => severity === 'fault'))
    expect(faults.map(each => `${each.name} ${each.rule}`)).toEqual([`${name} ${rule}`])
  })

  it.each(['drop-state', 'change-state', 'wrong-iss', 'drop-iss'])(
    'of the wrong move %s, which the client alone can see, says that the code was not redeemed',
    async move => {
      const { events } = await recorded('flow', 'code', '--tamper', move)
      expect(summary(await explainEvents(events))).toEqual([
        expect.stringMatching(/^code demo alice unfinished, remark code-unredeemed \d+$/),
      ])
    },
  )

  it('of a refresh token that came twice names it, and its consequence after it', async () => {
    const { events } = await recorded('flow', 'refresh')
    expect(summary(await explainEvents(events))).toEqual([
      expect.stringMatching(
        /^code demo alice refused, fault refresh-token-reused \d+, fault request-refused \d+$/,
      ),
    ])
  })

  it('of a wrong password names the failed login', async () => {
    const { code, events } = await recorded('flow', 'code', '--user', 'alice:wrong')
    expect(code).toBe(1)
    expect(summary(await explainEvents(events))).toEqual([
      expect.stringMatching(/^code demo alice unfinished, fault login-failed \d+$/),
    ])
  })

  it('is drawn, exported and written as JSON, with the break first and without secrets', async () => {
    const { events } = await recorded('flow', 'code', '--tamper', 'wrong-redirect-uri')
    const file = join(folder.path, 'lab.jsonl')
    writeFileSync(file, events.map(event => `${JSON.stringify(event)}\n`).join(''))
    const text = await runHere(['explain', file], { env: lab.env })
    expect(text.code).toBe(1)
    expect(text.stdout.split('\n')[2]).toMatch(
      /^✗ The token request used another redirect_uri than the authorization request\. \(entry \d+, RFC 6749 §4\.1\.3\)$/,
    )
    expect(text.stdout).toMatch(/◄─+ 302 {2}\?code=\S{4}…\S{3} ─+│/)
    expect(text.stdout).toMatch(/─ POST \/token {2}code ─+►│\n✗ \d+ .*◄─+ 400 {2}invalid_grant ─+│/)
    const json = await runHere(['explain', file, '--json'], { env: lab.env })
    const lines = json.stdout
      .trim()
      .split('\n')
      .map(line => JSON.parse(line) as Record<string, unknown>)
    expect(lines.at(0)).toMatchObject({
      type: 'flow',
      client_id: 'demo',
      username: 'alice',
      outcome: 'refused',
    })
    expect(lines.find(({ name }) => name === 'token_request')).toMatchObject({
      lacks: ['response headers', 'request body', 'response body'],
    })
    expect(lines.at(-1)).toMatchObject({ type: 'outcome', outcome: 'fault', faults: 1 })
    for (const format of ['markdown', 'mermaid']) {
      const { stdout } = await runHere(['explain', file, '--export', format], { env: lab.env })
      expect(stdout).toContain('client->>authorization_server: POST /token  code')
      expect(stdout).toContain('redirect-uri-differs')
    }
  })
})
