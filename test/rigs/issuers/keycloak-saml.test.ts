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

  const entry = (method: string, url: string, more: { posted?: string; location?: string } = {}) => {
    const { posted, location } = more
    const postData = { mimeType: 'application/x-www-form-urlencoded', text: posted }
    const headers = location === undefined ? [] : [{ name: 'location', value: location }]
    return {
      startedDateTime: sent.at,
      time: 1,
      request: { method, url, headers: [], ...(posted !== undefined && { postData }) },
      response: { status: location ? 302 : 200, headers, content: { mimeType: 'text/html', size: 0 } },
    }
  }

  /** Explains a recording and its redacted copy. Returns the findings, which are the same in both. */
  async function explained(entries: readonly object[], kind: string): Promise<unknown[]> {
    writeFileSync(at('login.har'), JSON.stringify({ log: { version: '1.2', entries } }))
    const redacted = await runProgram(['explain', at('login.har'), '--redact', '-o', at('clean.har')], {
      env,
    })
    expect(redacted.code, redacted.stderr).toBe(0)
    const findings = []
    for (const file of ['login.har', 'clean.har']) {
      const lines = jsonLines((await runProgram(['explain', at(file), '--json'], { env })).stdout)
      expect(lines.at(-1)).toMatchObject({ outcome: 'right', flows: 1, faults: 0 })
      expect(lines.find(({ type }) => type === 'flow')).toMatchObject({ kind, outcome: 'granted' })
      findings.push(lines.flatMap(({ type, name }) => (type === 'finding' ? [name] : [])))
    }
    expect(findings[1]).toEqual(findings[0])
    return findings[0] ?? []
  }

  it('are a right login when a recording of them is explained, redacted or not', async () => {
    const response = readFileSync(at('response.txt'), 'utf8')
    const posted = new URLSearchParams({ SAMLResponse: response, RelayState: 'here' }).toString()
    expect(await explained([entry('GET', sent.url), entry('POST', acs, { posted })], 'saml')).toEqual([])
    expect(readFileSync(at('clean.har'), 'utf8')).not.toContain(encodeURIComponent(response))
  })

  it('are a right login that the identity provider began, with a remark', async () => {
    const page = await curl(`${keycloak.issuer}/protocol/saml/clients/app`)
    const response = field(page, /name="SAMLResponse" value="([^"]+)"/i)
    writeFileSync(at('unasked.txt'), response)
    const decoded = await runProgram(
      [
        'saml',
        'decode',
        at('unasked.txt'),
        '--metadata',
        at('idp.xml'),
        '--audience',
        audience,
        '--recipient',
        acs,
      ],
      { env },
    )
    expect(decoded.code, decoded.stdout).toBe(0)
    const posted = new URLSearchParams({ SAMLResponse: response }).toString()
    expect(await explained([entry('POST', acs, { posted })], 'saml')).toEqual(['saml-unsolicited'])
  })

  /** Sends a request by the Redirect binding. Returns its address, and that which the answer redirects to. */
  async function redirected(xml: string): Promise<{ url: string; location: string }> {
    const packed = encodeURIComponent(deflateRawSync(xml).toString('base64'))
    const url = `${keycloak.issuer}/protocol/saml?SAMLRequest=${packed}&RelayState=here`
    const { stdout } = await run(
      'curl',
      [
        '-sS',
        '-o',
        '/dev/null',
        '-w',
        '%{redirect_url}',
        '--cacert',
        ca,
        '-b',
        at('jar'),
        '-c',
        at('jar'),
        url,
      ],
      { env, limit: 60_000 },
    )
    return { url, location: stdout }
  }
  const head = (id: string) =>
    `xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${id}" Version="2.0" IssueInstant="${new Date().toISOString()}" Destination="${keycloak.issuer}/protocol/saml"`

  it('are a right login by an artifact', async () => {
    const request = `<samlp:AuthnRequest ${head('_by_artifact')}><saml:Issuer>https://artifact.example/saml</saml:Issuer></samlp:AuthnRequest>`
    const { url, location } = await redirected(request)
    expect(location).toContain('https://artifact.example/acs?SAMLart=')
    expect(await explained([entry('GET', url, { location }), entry('GET', location)], 'saml')).toEqual([])
    const artifact = new URL(location).searchParams.get('SAMLart') ?? ''
    expect(readFileSync(at('clean.har'), 'utf8')).not.toContain(encodeURIComponent(artifact))
  })

  it('are a right logout, whose answer is signed in its address', async () => {
    const xml = Buffer.from(readFileSync(at('unasked.txt'), 'utf8'), 'base64').toString()
    const session = /SessionIndex="([^"]+)"/.exec(xml)?.[1] ?? ''
    const request = `<samlp:LogoutRequest ${head('_logout')}><saml:Issuer>${audience}</saml:Issuer><saml:NameID>alice</saml:NameID><samlp:SessionIndex>${session}</samlp:SessionIndex></samlp:LogoutRequest>`
    const { url, location } = await redirected(request)
    expect(location).toContain('https://app.example/slo?SAMLResponse=')
    writeFileSync(at('logout.txt'), location)
    const decoded = await runProgram(
      ['saml', 'decode', at('logout.txt'), '--metadata', at('idp.xml'), '--in-response-to', '_logout'],
      { env },
    )
    expect(decoded.code, decoded.stdout).toBe(0)
    const entries = [entry('GET', url, { location }), entry('GET', location)]
    // Nobody signed this request.
    expect(await explained(entries, 'logout')).toEqual(['saml-unsigned-logout'])
    expect(readFileSync(at('clean.har'), 'utf8')).not.toContain(session)
  })
})
