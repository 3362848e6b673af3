import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { deflateRawSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type OtherIssuer, startIssuer } from '../../support/issuer.js'
import { describeAgainst } from '../../support/java-issuer.js'
import { cleanEnv, jsonLines, run, runProgram, temporaryFolder } from '../../support/program.js'

const acs = 'https://app.example/acs'
const audience = 'https://app.example/saml'

describeAgainst('keycloak', 'SAML messages of Keycloak', () => {
  const folder = temporaryFolder()
  const env = cleanEnv(folder.path)
  const at = (name: string) => join(folder.path, name)
  let keycloak: OtherIssuer
  let ca = ''
  /** The login request, as the browser sent it. */
  let sent = { url: '', at: '' }

  /** A request as a browser sends it, with its cookies. */
  const curl = async (...args: string[]): Promise<string> => {
    const all = ['-sS', '-L', '--cacert', ca, '-b', at('jar'), '-c', at('jar'), ...args]
    const { code, stdout, stderr } = await run('curl', all, { env, limit: 60_000 })
    expect(code, stderr).toBe(0)
    return stdout
  }

  const field = (page: string, pattern: RegExp): string =>
    (pattern.exec(page)?.[1] ?? '')
      .replaceAll('&amp;', '&')
      .replaceAll('&#x2b;', '+')
      .replaceAll('&#x3d;', '=')

  beforeAll(async () => {
    ca = (await runProgram(['ca', 'path'], { env })).stdout.trim()
    keycloak = await startIssuer('keycloak.js', [join(dirname(ca), 'leaf.pem')], env)
    writeFileSync(at('idp.xml'), await curl(`${keycloak.issuer}/protocol/saml/descriptor`))
    const sso = `${keycloak.issuer}/protocol/saml`
    const request = `<samlp:AuthnRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_request" Version="2.0" IssueInstant="${new Date().toISOString()}" Destination="${sso}" AssertionConsumerServiceURL="${acs}" ProtocolBinding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST"><saml:Issuer>${audience}</saml:Issuer></samlp:AuthnRequest>`
    const packed = encodeURIComponent(deflateRawSync(request).toString('base64'))
    const login = await curl(`${sso}?SAMLRequest=${packed}&RelayState=here`)
    const answer = await curl(
      ...['--data-urlencode', 'username=alice', '--data-urlencode', 'password=wonderland'],
      field(login, /action="([^"]+)"/),
    )
    sent = { url: `${sso}?SAMLRequest=${packed}&RelayState=here`, at: new Date().toISOString() }
    writeFileSync(at('response.txt'), field(answer, /name="SAMLResponse" value="([^"]+)"/i))
  }, 600_000)
  afterAll(async () => {
    await keycloak?.stop()
    folder.remove()
  })

  const decode = async (...args: string[]) => {
    const { code, stdout, stderr } = await runProgram(
      ['saml', 'decode', at('response.txt'), '--json', ...args],
      { env },
    )
    expect(stderr).toBe('')
    return { code, ...(JSON.parse(stdout) as { verdict: string; checks: { name: string; ok: boolean }[] }) }
  }
  const reader = ['--audience', audience, '--recipient', acs, '--in-response-to', '_request']

  it('are accepted with the keys of its metadata, response and assertion signed', async () => {
    const read = await decode('--metadata', at('idp.xml'), ...reader)
    expect(read).toMatchObject({
      code: 0,
      verdict: 'accepted',
      binding: 'post',
      message: { kind: 'Response', status: ['Success'], in_response_to: '_request' },
      signatures: [{ of: 'Response', algorithm: 'rsa-sha256' }, { of: 'Assertion' }],
    })
    expect(read.checks.filter(({ ok }) => !ok)).toEqual([])
  })

  it.each([
    ['another service provider', ['--audience', 'https://other.example'], 'audience'],
    ['another address', ['--recipient', 'https://other.example/acs'], 'recipient'],
    ['another request', ['--in-response-to', '_other'], 'in_response_to'],
    ['tomorrow', ['--now', new Date(Date.now() + 86_400_000).toISOString()], 'confirmation'],
  ])('are refused for %s', async (_what, args, name) => {
    const read = await decode('--metadata', at('idp.xml'), ...args)
    expect(read).toMatchObject({ code: 1, verdict: 'refused' })
    expect(read.checks).toContainEqual(expect.objectContaining({ name, ok: false }))
  })

  it('are a right login when a recording of them is explained, redacted or not', async () => {
    const entry = (method: string, url: string, postData?: object) => ({
      startedDateTime: sent.at,
      time: 1,
      request: { method, url, headers: [], ...(postData && { postData }) },
      response: { status: 200, headers: [], content: { mimeType: 'text/html', size: 0 } },
    })
    const text = new URLSearchParams({
      SAMLResponse: readFileSync(at('response.txt'), 'utf8'),
      RelayState: 'here',
    })
    const form = { mimeType: 'application/x-www-form-urlencoded', text: text.toString() }
    const entries = [entry('GET', sent.url), entry('POST', acs, form)]
    writeFileSync(at('login.har'), JSON.stringify({ log: { version: '1.2', entries } }))
    const redacted = await runProgram(['explain', at('login.har'), '--redact', '-o', at('clean.har')], {
      env,
    })
    expect(redacted.code, redacted.stderr).toBe(0)
    for (const file of ['login.har', 'clean.har']) {
      const { stdout } = await runProgram(['explain', at(file), '--json'], { env })
      expect(jsonLines(stdout).at(-1)).toMatchObject({ outcome: 'right', flows: 1, faults: 0 })
    }
    expect(readFileSync(at('clean.har'), 'utf8')).not.toContain(
      encodeURIComponent(readFileSync(at('response.txt'), 'utf8')),
    )
  })
})
