import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ends, programInHome } from '../../commands/support.js'
import { read } from '../../support/source-files.js'

const { home, oauthLab, written: labFile } = programInHome()

describe('oauth-lab config', () => {
  it('check accepts a good file', async () => {
    const file = labFile(
      'good.yaml',
      `clients: [{ client_id: web, client_secret: ${randomBytes(32).toString('hex')} }]\n`,
    )
    expect(await oauthLab('config', 'check', file)).toMatchObject({
      code: 0,
      stdout: 'good.yaml: ok, 1 clients, 3 users\n',
      stderr: '',
    })
    expect(JSON.parse((await oauthLab('config', 'check', file, '--json')).stdout)).toEqual({
      file,
      ok: true,
      clients: 1,
      users: 3,
      warnings: [],
    })
  })

  it('check warns of secrets that can be guessed, with their lines', async () => {
    const entry = (id: string, secret: string) => `  - { client_id: ${id}, client_secret: ${secret} }\n`
    const file = labFile(
      'weak.yaml',
      `clients:\n${entry('a', 'hunter2')}${entry('b', randomBytes(32).toString('hex'))}${entry('c', 'correct-horse-battery-staple')}`,
    )
    const { code, stdout, stderr } = await oauthLab('config', 'check', file)
    expect([code, stdout]).toEqual([0, 'weak.yaml: ok, 3 clients, 3 users\n'])
    const rule = 'bits of entropy; use 128 (RFC 6749 §10.10), such as: openssl rand -hex 32'
    expect(stderr.split('\n')).toEqual([
      `warning: ${file}:2: clients[0].client_secret: this secret has about 36 ${rule}`,
      expect.stringMatching(/^warning: .*weak.yaml:4: clients\[2\].client_secret: .* about \d\d bits/),
      '',
    ])
    expect(stderr).not.toMatch(/hunter2|staple/)
    const { warnings } = JSON.parse((await oauthLab('config', 'check', file, '--json')).stdout)
    expect(warnings).toHaveLength(2)
  })

  it('check recommends a literal beside localhost, unless there is one (RFC 8252 §8.3)', async () => {
    const lines = ['http://localhost:3000/cb', 'http://localhost/x', 'http://127.0.0.1/x'].map(
      each => `    - ${each}\n`,
    )
    const file = labFile('named.yaml', `clients:\n- client_id: a\n  redirect_uris:\n${lines.join('')}`)
    const { code, stderr } = await oauthLab('config', 'check', file)
    expect([code, stderr]).toEqual([
      0,
      `warning: ${file}:4: clients[0].redirect_uris[0]: a computer may resolve localhost to another address; register http://127.0.0.1/cb as well (RFC 8252 §8.3)\n`,
    ])
  })

  it('check warns of trusted issuers whose names may be those of the cluster', async () => {
    const file = labFile(
      'trusting.yaml',
      `cluster:
  oidc:
  - { issuer: lab, client_id: a, username_prefix: "oidc:", groups_claim: groups, groups_prefix: "oidc:" }
  - issuer: https://id.example
    client_id: b
    username_prefix: "-"
    groups_claim: groups
  - { issuer: https://mail.example, client_id: c, username_claim: email }
`,
    )
    const { code, stderr } = await oauthLab('config', 'check', file)
    expect([code, stderr]).toEqual([
      0,
      `warning: ${file}:6: cluster.oidc[1].username_prefix: a person of this issuer who is named like a user of the cluster has the rights of that user; set a prefix, such as oidc:
warning: ${file}:7: cluster.oidc[1].groups_claim: without groups_prefix, anyone who is in a group system:masters of this issuer may do everything; set a prefix, such as oidc:
`,
    ])
  })

  it.each([
    [
      '{ issuer: http://id.example, client_id: a }',
      'an issuer is an https address without query and fragment',
    ],
    ['{ issuer: "https://id.example?x", client_id: a }', 'an issuer is an https address'],
    ['{ issuer: lab }', 'cluster.oidc[0].client_id'],
    ['{ issuer: lab, client_id: a, groups_prefix: "" }', 'cluster.oidc[0].groups_prefix'],
    ['{ issuer: lab, client_id: a, user_claim: sub }', 'user_claim'],
  ])('check refuses the trusted issuer %s', async (entry, problem) => {
    const file = labFile('issuer.yaml', `cluster:\n  oidc:\n  - ${entry}\n`)
    const { code, stderr } = await oauthLab('config', 'check', file)
    expect([code, stderr]).toEqual([2, expect.stringContaining(problem)])
    expect(stderr).toContain(`${file}:3`)
  })

  it('check warns of a client that anyone can imitate and nobody is asked about', async () => {
    const file = labFile(
      'granted.yaml',
      `clients:
- { client_id: a, redirect_uris: ["https://a.example/"], consent: granted }
- { client_id: b, client_secret: ${randomBytes(32).toString('hex')}, consent: granted }
- { client_id: c, client_secret: ${randomBytes(32).toString('hex')}, application_type: native, consent: granted }
- { client_id: d, client_secret: ${randomBytes(32).toString('hex')}, application_type: native, consent: kept }
`,
    )
    const { code, stderr } = await oauthLab('config', 'check', file)
    expect(code).toBe(0)
    expect(stderr.trim().split('\n')).toEqual([
      expect.stringMatching(/:2: clients\[0\].consent: this client has no secret, so any .*RFC 8252 §8.6/),
      expect.stringMatching(/:4: clients\[2\].consent: people install this client, so any /),
      expect.stringMatching(/:5: clients\[3\].consent: people install this client, so any /),
    ])
  })

  it('check warns of algorithms that the stage does not use', async () => {
    const secret = randomBytes(32).toString('hex')
    const client = `{ client_id: web, client_secret: ${secret}, id_token_signed_response_alg: ES256 }`
    const checked = async (stage: string) =>
      oauthLab('config', 'check', labFile(`${stage}.yaml`, `stage: ${stage}\nclients: [${client}]\n`))
    expect((await checked('key-pair')).stderr).toContain(
      'key-pair.yaml:2: clients[0].id_token_signed_response_alg: the stage key-pair does not use it',
    )
    expect((await checked('published-keys')).stderr).toBe('')
  })

  it('check warns of claims that no scope gives out', async () => {
    const users = 'users: [{ username: dora, password: x, claims: { name: Dora, groups: [a] } }]\n'
    const { code, stderr } = await oauthLab('config', 'check', labFile('claims.yaml', users))
    expect([code, stderr]).toEqual([
      0,
      expect.stringMatching(
        /^warning: .*claims.yaml:1: users\[0\].claims.groups: no scope gives out this claim/,
      ),
    ])
    const mapped = `${users}scopes: { groups: Your groups }\nscope_claims: { groups: [groups] }\n`
    expect((await oauthLab('config', 'check', labFile('mapped.yaml', mapped))).stderr).toBe('')
    const unknown = labFile('unknown.yaml', 'scope_claims: { groups: [groups] }\n')
    const refused = await oauthLab('config', 'check', unknown)
    expect(refused).toMatchObject(ends(2, 'the scope "groups" is not one'))
  })

  it('check names file, line, place and what is allowed of a bad one', async () => {
    const file = labFile('bad.yaml', '# mine\nstage: published\n')
    const { code, stdout, stderr } = await oauthLab('config', 'check', file)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toBe(
      'oauth-lab: stage: "published" is not allowed; allowed: login-only, shared-secret, key-pair, published-keys\n' +
        `  ${file}:2:1: stage: published\n` +
        '  Did you mean published-keys?  Every field:  oauth-lab config schema\n',
    )
  })

  it('check reads the named signing key', async () => {
    const file = labFile('key.yaml', 'signing_key_file: nope.pem\n')
    const { code, stderr } = await oauthLab('config', 'check', file)
    expect(code).toBe(2)
    expect(stderr).toContain(`signing_key_file ${join(home(), 'nope.pem')}: there is no such file`)
    labFile('nope.pem', 'no key')
    expect((await oauthLab('config', 'check', file)).stderr).toContain('it is no PKCS#8 PEM key')
  })

  it('show prints the effective file, secrets masked', async () => {
    const { code, stdout } = await oauthLab('config', 'show')
    expect(code).toBe(0)
    expect(stdout).toContain('client_id: demo\n')
    expect(stdout).not.toMatch(/wonderland|demo-secret/)
  })

  it('show --json prints it whole, as the built-in file is written', async () => {
    const { stdout } = await oauthLab('config', 'show', '--json')
    expect(JSON.parse(stdout)).toEqual(JSON.parse(read('fixtures/lab.json')))
  })

  it('show --show-secrets prints a lab file that checks', async () => {
    const { stdout } = await oauthLab('config', 'show', '--show-secrets')
    expect(stdout).toContain('wonderland')
    expect((await oauthLab('config', 'check', labFile('shown.yaml', stdout))).code).toBe(0)
  })

  it('schema prints a JSON Schema', async () => {
    const { stdout } = await oauthLab('config', 'schema')
    expect(JSON.parse(stdout)).toMatchObject({
      $schema: expect.stringContaining('json-schema.org'),
      properties: { clients: { type: 'array' } },
    })
  })
})
