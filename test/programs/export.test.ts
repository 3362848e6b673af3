import { generateKeyPairSync } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ask } from '../support/https.js'
import { jsonLines, run, runProgram } from '../support/program.js'
import { describeWith } from '../support/requires.js'
import { sharedLab, testLab } from '../support/shared.js'
import { enterUntil, terminalWith } from './terminal.js'

const lab = sharedLab()

const secrets = {
  OAUTH_CLIENT_SECRET: 'demo-secret-0123456789abcdef0123456789',
  OAUTH_PASSWORD: 'wonderland',
}

/** Writes a script by a command of oauth-lab and returns where it is. */
async function script(name: string, args: readonly string[]): Promise<string> {
  const file = join(lab.env.HOME!, name)
  const { code, stdout, stderr } = await runProgram([...args, '--export', 'curl', '-o', file], {
    env: lab.env,
  })
  expect({ code, stdout }, stderr).toEqual({ code: 0, stdout: '' })
  return file
}

const codesIssued = async () => (await lab.events()).filter(({ type }) => type === 'code.redeemed').length

describeWith(['curl', 'openssl', 'sed', 'tr'], 'an exported curl script', () => {
  it.each([
    ['confidential client, openid', ['--client', 'demo', '--scope', 'openid profile']],
    ['public client', ['--client', 'demo-spa']],
    ['no PKCE', ['--client', 'demo', '--no-pkce']],
  ])('replays the flow with sh and curl: %s', async (_what, flags) => {
    const file = await script('replay.sh', ['flow', 'code', ...flags])
    const text = readFileSync(file, 'utf8')
    expect(text).not.toMatch(/wonderland|demo-secret/)
    const before = await codesIssued()
    const { code, stdout, stderr } = await run('sh', [file], { env: { ...lab.env, ...secrets } })
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringMatching(/^login_form: 200\nlogin: 302\ntoken_request: 200\nkeys_request: 200\n/),
    })
    const issuer = lab.ready.urls.authorization
    const verified = await runProgram(['jwt', 'verify', stdout.trim(), '--issuer', issuer, '--json'], {
      env: lab.env,
    })
    expect(JSON.parse(verified.stdout)).toMatchObject({ verdict: 'accepted', claims: { sub: 'alice' } })
    expect(await codesIssued()).toBeGreaterThan(before)
  })

  it.each([
    ['a pushed request and DPoP', ['code', '--par', '--dpop'], /^eyJ/],
    ['a refresh with DPoP', ['refresh', '--dpop'], /^eyJ/],
    ['a MAC, and its nonce used again', ['resource', '--token-type', 'mac'], /^[\w-]+$/m],
    ['an implicit grant', ['implicit'], /^eyJ/],
    ['a token exchange', ['token-exchange'], /^eyJ/],
  ])('signs proofs again for each request: %s', async (_what, flow, token) => {
    const file = await script('signed.sh', ['flow', ...flow])
    const replayed = await run('sh', [file], { env: { ...lab.env, ...secrets } })
    expect(replayed, replayed.stderr).toMatchObject({ code: 0, stdout: expect.stringMatching(token) })
  })

  it('signs client assertions with the key that is named, and does not pretend without it', async () => {
    const key = join(lab.env.HOME!, 'client.pem')
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    writeFileSync(key, privateKey.export({ type: 'pkcs8', format: 'pem' }))
    const config = join(lab.env.HOME!, 'signer.json')
    const client = {
      client_id: 'signer',
      redirect_uris: ['http://127.0.0.1/callback'],
      token_endpoint_auth_method: 'private_key_jwt',
      grant_types: ['client_credentials'],
      jwks: { keys: [{ ...publicKey.export({ format: 'jwk' }), alg: 'ES256' }] },
    }
    writeFileSync(config, JSON.stringify({ clients: [client] }))
    const other = await testLab(['--config', config])
    const signer = ['--client', 'signer', '--client-key', key, '--export', 'curl']
    const { stdout: text } = await runProgram(['flow', 'client-credentials', ...signer], { env: other.env })
    const replay = (more: Record<string, string>) =>
      run('sh', ['-s'], { env: { ...other.env, ...more }, input: text })
    const replayed = await replay({ OAUTH_CLIENT_KEY: key })
    expect(replayed, replayed.stderr).toMatchObject({ code: 0, stdout: expect.stringMatching(/^eyJ/) })
    expect(await replay({})).toMatchObject({ stderr: expect.stringContaining('OAUTH_CLIENT_KEY') })
  })

  it.each([
    ['ES256', 'signed', 'pem'],
    ['PS256', 'signed', 'jwk'],
    ['EdDSA', 'encrypted', 'pem'],
    ['RS256', 'unsigned', 'pem'],
  ] as const)('signs the request object again: %s, %s, key as %s', async (alg, kind, form) => {
    const { privateKey, publicKey } =
      alg === 'ES256'
        ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
        : alg === 'EdDSA'
          ? generateKeyPairSync('ed25519')
          : generateKeyPairSync('rsa', { modulusLength: 2048 })
    const key = join(lab.env.HOME!, `object-${alg}.${form}`)
    const jwk = { ...privateKey.export({ format: 'jwk' }), alg, kid: 'k' }
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    writeFileSync(key, form === 'jwk' ? JSON.stringify(jwk) : pem)
    const client = {
      client_id: 'signer',
      redirect_uris: ['http://127.0.0.1/callback'],
      token_endpoint_auth_method: 'private_key_jwt',
      request_object_encryption_alg: 'RSA-OAEP-256',
      jwks: { keys: [{ ...publicKey.export({ format: 'jwk' }), alg, ...(form === 'jwk' && { kid: 'k' }) }] },
    }
    const config = join(lab.env.HOME!, 'objects.json')
    writeFileSync(config, JSON.stringify({ clients: [client] }))
    const other = await testLab(['--config', config])
    const signer = ['--client', 'signer', '--client-key', key, '--request-object', kind]
    // A pushed request object is signed.
    for (const par of kind === 'unsigned' ? [[]] : [[], ['--par']]) {
      const flow = ['flow', 'code', ...signer, ...par, '--scope', 'openid', '--export', 'curl']
      const made = await runProgram(flow, { env: other.env })
      const env = { ...other.env, OAUTH_CLIENT_KEY: key, OAUTH_PASSWORD: 'wonderland' }
      expect(made.stdout.includes('was encrypted too; this one is signed alone')).toBe(kind === 'encrypted')
      const replayed = await run('sh', ['-s'], { env, input: made.stdout })
      expect(replayed, made.stderr + replayed.stderr).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/^eyJ/),
      })
    }
  })

  it('shows the certificate of the client, and names its files', async () => {
    const folder = join(lab.env.HOME!, "client's pair")
    const make = ['ca', 'client', 'phone', '-o', folder, '--self-signed', '--json']
    const made = JSON.parse((await runProgram(make, { env: lab.env })).stdout)
    const client = {
      ...made.client,
      grant_types: ['client_credentials', 'authorization_code'],
      tls_client_certificate_bound_access_tokens: true,
      redirect_uris: ['http://127.0.0.1/callback'],
    }
    const config = join(folder, 'lab.json')
    writeFileSync(config, JSON.stringify({ clients: [client] }))
    const other = await testLab(['--config', config])
    const shown = ['--cert', made.certificate, '--cert-key', made.key, '--export', 'curl']
    for (const flow of [['client-credentials'], ['code', '--par', '--scope', 'openid']]) {
      const args = ['flow', ...flow, '--client', 'phone', ...shown]
      const { stdout: text, stderr } = await runProgram(args, { env: other.env })
      expect(text, stderr).not.toContain('PRIVATE KEY')
      const env = { ...other.env, OAUTH_PASSWORD: 'wonderland' }
      const replayed = await run('sh', ['-s'], { env, input: text })
      expect(replayed, replayed.stderr).toMatchObject({ code: 0, stdout: expect.stringMatching(/^eyJ/) })
    }
  })

  it('form-encodes a secret with % and + in Basic, and keeps secrets off every command line', async () => {
    const secret = 'a%2Bb+c d/0123456789abcdef0123456789'
    const config = join(lab.env.HOME!, 'percent.json')
    const client = {
      client_id: 'percent',
      client_secret: secret,
      redirect_uris: ['http://127.0.0.1/callback'],
    }
    writeFileSync(config, JSON.stringify({ clients: [client] }))
    const other = await testLab(['--config', config])
    const flow = ['flow', 'code', '--config', config, '--client', 'percent', '--export', 'curl']
    const { stdout: text } = await runProgram(flow, { env: other.env })
    const traced = { ...other.env, OAUTH_CLIENT_SECRET: secret, OAUTH_PASSWORD: 'wonderland' }
    const replayed = await run('sh', ['-s'], { env: traced, input: text })
    expect(replayed, replayed.stderr).toMatchObject({ code: 0, stdout: expect.stringMatching(/^eyJ/) })
    expect(text.match(/\$\(curl [^)]*\)/g)).toEqual([expect.not.stringContaining('"$@"')])
  })

  it('does not send an assertion that was used', async () => {
    const file = await script('assertion.sh', ['flow', 'assertion', '--show-secrets'])
    const { code, stderr } = await run('sh', [file], { env: { ...lab.env, ...secrets } })
    expect(code).toBeGreaterThan(0)
    expect(stderr).toContain('OAUTH_ASSERTION: set it to a new assertion')
  })

  it('needs nothing from the environment where secrets are shown', async () => {
    const file = await script('shown.sh', ['flow', 'code', '--show-secrets'])
    expect(await run('sh', [file], { env: lab.env })).toMatchObject({ code: 0 })
  })

  it('says which secret is missing, and stops where an answer is another one', async () => {
    const file = await script('masked.sh', ['flow', 'code'])
    expect(await run('sh', [file], { env: lab.env })).toMatchObject({
      code: expect.toSatisfy((code: number) => code > 0),
      stderr: expect.stringMatching(/OAUTH_(CLIENT_SECRET|PASSWORD)/),
    })
    const wrong = { ...lab.env, ...secrets, OAUTH_PASSWORD: 'wrong' }
    expect(await run('sh', [file], { env: wrong })).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/login: the answer is 200, it was 302/),
    })
  })

  it('of a recording replays too, with the CA named', async () => {
    const { stdout } = await runProgram(['flow', 'code', '--json'], { env: lab.env })
    const { code, stdout: text } = await runProgram(['play', '-', '--export', 'curl'], {
      env: lab.env,
      input: stdout,
    })
    expect(code).toBe(0)
    const env = { ...lab.env, ...secrets, OAUTH_LAB_CACERT: lab.ready.ca }
    expect(await run('sh', ['-s'], { env, input: text })).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^eyJ/),
    })
  })
})

interface HarEntry {
  request: {
    method: string
    url: string
    headers: { name: string; value: string }[]
    bodySize: number
    postData?: { text: string }
  }
  response: { status: number; bodySize: number; content: { size: number; text?: string } }
}

it('an exported HAR can be sent again, and its sizes are those of the bodies', async () => {
  const { stdout, stderr } = await runProgram(['flow', 'code', '--export', 'har', '--show-secrets'], {
    env: lab.env,
  })
  expect(stderr).toMatch(/^granted {2}alice -> demo/m)
  const { entries } = (JSON.parse(stdout) as { log: { entries: HarEntry[] } }).log
  expect(entries.map(({ response }) => response.status)).toEqual([200, 302, 200, 200, 200, 200])
  for (const { request, response } of entries) {
    expect(request.bodySize).toBe(Buffer.byteLength(request.postData?.text ?? ''))
    expect(response.content.size).toBe(Buffer.byteLength(response.content.text ?? ''))
    expect(response.bodySize).toBe(response.content.size)
  }
  const token = entries.find(({ request }) => request.url.endsWith('/token'))!.request
  const again = await ask(token.url, {
    ca: readFileSync(lab.ready.ca, 'utf8'),
    method: token.method,
    headers: Object.fromEntries(token.headers.map(({ name, value }) => [name, value])),
    body: token.postData?.text ?? '',
  })
  // The same message to the letter: the server knows its code, and that it was redeemed.
  expect([again.status, again.body]).toEqual([400, expect.stringMatching(/invalid_grant/)])
})

it('an export keeps stdout to itself, and its exit code is that of the flow', async () => {
  const refused = await runProgram(['flow', 'code', '--user', 'alice:wrong', '--export', 'mermaid'], {
    env: lab.env,
  })
  expect(refused.code).toBe(1)
  expect(refused.stdout).toMatch(/^sequenceDiagram\n/)
  expect(refused.stdout).toMatch(/Note over client: refused login_failed/)
  expect(refused.stderr).toMatch(/^refused {2}login_failed/m)
  const both = await runProgram(['flow', 'code', '--json', '--export', 'har'], { env: lab.env })
  expect([both.code, both.stdout]).toEqual([2, ''])
})

describeWith(['tmux', 'ps'], 'play on a terminal', () => {
  it('shows a recorded run in the screens of the flow, without the server', async () => {
    const { stdout } = await runProgram(['flow', 'code', '--json'], { env: lab.env })
    expect(jsonLines(stdout).at(-1)).toMatchObject({ outcome: 'granted' })
    const file = join(lab.env.HOME!, 'played.jsonl')
    await runProgram(['play', '-', '--json', '-o', file], { env: lab.env, input: stdout })
    const terminal = await terminalWith(`oauth-lab play ${file}`, 100, 30)
    const first = await terminal.shows(/1 of 7/)
    expect(first).toMatch(/oauth-lab {2}play {3}client demo/)
    const granted = await enterUntil(terminal, /granted/)
    expect(granted).toMatch(/7 of 7/)
    terminal.keys('q')
    await terminal.shows(/^exit=0$/m)
    expect(terminal.screen()).toMatch(/play demo: granted/)
  })
})
