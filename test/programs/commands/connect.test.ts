import { spawnSync } from 'node:child_process'
import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { lineChange, withClient } from '../../../src/commands/connect/connect-apply.js'
import { recipeLines } from '../../../src/commands/connect/connect-run.js'
import { loadRecipes } from '../../../src/commands/connect/recipes.js'
import { ends } from '../../commands/support.js'
import { cleanEnv, runProgram, temporaryFolder } from '../../support/program.js'
import { testLab } from '../../support/shared.js'

let folder: ReturnType<typeof temporaryFolder>
beforeEach(() => {
  folder = temporaryFolder()
})
afterEach(() => folder.remove())

const connect = (...args: readonly string[]) =>
  runProgram(['connect', ...args], { env: cleanEnv(folder.path), cwd: folder.path })
const file = (name: string) => join(folder.path, name)

describe('connect', () => {
  it('prints lines for the lab that serve starts, and says that none runs', async () => {
    const { code, stdout } = await connect('openid-client')
    expect(code).toBe(0)
    expect(stdout).toContain('# lab      https://localhost:8443 (no lab answers there)\n')
    expect(stdout).toContain('#          start one first:   oauth-lab serve\n')
    expect(stdout).toContain(`export NODE_EXTRA_CA_CERTS=${join(folder.path, 'lab/ca.pem')}\n`)
    expect(stdout).not.toContain('demo-secret')
  })

  it('prints the same as data', async () => {
    const { stdout } = await connect('openid-client', '--json')
    expect(JSON.parse(stdout)).toMatchObject({
      name: 'openid-client',
      lab: { running: false, issuer: 'https://localhost:8443' },
      client: { client_id: 'demo', registered: true, lab_file: null },
      parts: [{ kind: 'install' }, { kind: 'file', file: 'login.mjs' }, { kind: 'run' }],
    })
  })

  it('prints a script that a shell can read, for every program', async () => {
    const place = {
      issuer: 'https://localhost:1',
      resource: 'https://localhost:2',
      mcp: 'https://localhost:2/mcp',
      cluster: 'https://localhost:3',
      ca: '/tmp/Lab\'s "state"/ca.pem',
      clientId: 'a-client',
      secretCommand: 'oauth-lab connect x --secret',
      collectionCommand: 'oauth-lab connect x',
    }
    const scripts = (await loadRecipes()).flatMap(recipe =>
      recipeLines({ recipe, place, running: true, missing: { client_id: 'x' }, remarks: ['A remark.'] }),
    )
    const { status, stderr } = spawnSync('bash', ['-n'], { input: scripts.join('\n'), encoding: 'utf8' })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  })

  it('prints the secret of the client alone', async () => {
    const { stdout } = await connect('openid-client', '--secret')
    expect(stdout).toBe('demo-secret-0123456789abcdef0123456789\n')
  })
})

describe('connect postman -o FILE', () => {
  it('writes the collection with the secret, for its owner alone, whatever was there', async () => {
    writeFileSync(file('lab.json'), 'older and longer'.repeat(1000), { mode: 0o644 })
    const { code, stderr, stdout } = await connect('postman', '-o', 'lab.json')
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
    expect(stderr).toBe('Wrote lab.json. It holds the secret of the client.\n')
    expect(statSync(file('lab.json')).mode & 0o777).toBe(0o600)
    const { info, variable } = JSON.parse(readFileSync(file('lab.json'), 'utf8'))
    expect(info.schema).toBe('https://schema.getpostman.com/json/collection/v2.1.0/collection.json')
    const secret = variable.find(({ key }: { key: string }) => key === 'client_secret')
    expect(secret.value).toBe('demo-secret-0123456789abcdef0123456789')
  })
})

describe('connect --apply', () => {
  it('makes a lab file with the built-in clients and the new one, for its owner alone', async () => {
    const { code, stdout } = await connect('openid-client', '--client', 'web', '--apply')
    expect(code).toBe(0)
    expect(stdout).toContain(`Made ${file('oauth-lab.yaml')}`)
    expect(stdout).toContain('+   - client_id: web\n+     client_secret: …\n')
    expect(stdout).toContain('No lab runs. Start one with this file:   oauth-lab serve\n')
    expect(statSync(file('oauth-lab.yaml')).mode & 0o777).toBe(0o600)
    const { stdout: secret } = await connect('openid-client', '--client', 'web', '--secret')
    expect(secret).toMatch(/^[0-9a-f]{64}\n$/)
    expect(readFileSync(file('oauth-lab.yaml'), 'utf8')).toContain('client_id: demo\n')
    const again = await connect('openid-client', '--client', 'web', '--apply')
    expect(again.stdout).toBe('The lab has the client web, which fits openid-client. Nothing was changed.\n')
  })

  it('changes nothing where a built-in client suffices', async () => {
    const { stdout } = await connect('openid-client', '--apply', '--json')
    expect(JSON.parse(stdout)).toEqual({ client_id: 'demo', file: null, changed: false })
  })

  it('keeps the comments, the order and the other lines of a file, and says that it closed it', async () => {
    const text =
      '# ours\nstage: published-keys # the last one\n\nclients:\n  # the shop\n  - client_id: shop\n    redirect_uris: ["http://127.0.0.1/cb"]\n\nprofile: standard\n'
    writeFileSync(file('oauth-lab.yaml'), text)
    chmodSync(file('oauth-lab.yaml'), 0o644)
    const { stdout } = await connect('openid-client', '--apply', '--show-secrets')
    expect(stdout).toContain('readable for you alone (0600)')
    const { removed, added } = lineChange(text, readFileSync(file('oauth-lab.yaml'), 'utf8'))
    expect(removed.filter(line => line !== '')).toEqual([])
    expect(added.slice(0, 2)).toEqual([
      '  - client_id: openid-client',
      expect.stringMatching(/^ {4}client_secret: [0-9a-f]{64}$/),
    ])
    expect(stdout).toContain(`+ ${added[1]}`)
    expect(statSync(file('oauth-lab.yaml')).mode & 0o777).toBe(0o600)
  })

  it('leaves a client of the same name with other values as it is', async () => {
    const text = 'clients:\n  - client_id: step\n    redirect_uris: [https://step.example/cb]\n'
    writeFileSync(file('oauth-lab.yaml'), text)
    const { code, stderr } = await connect('step', '--apply')
    expect(code).toBe(2)
    expect(stderr).toContain(
      'the client step of oauth-lab.yaml does not fit step: http://127.0.0.1/callback is not',
    )
    expect(readFileSync(file('oauth-lab.yaml'), 'utf8')).toBe(text)
  })

  it('leaves a broken file as it is', async () => {
    writeFileSync(file('oauth-lab.yaml'), 'clients: [\n')
    expect(await connect('step', '--apply')).toMatchObject(ends(2, 'oauth-lab.yaml'))
    expect(readFileSync(file('oauth-lab.yaml'), 'utf8')).toBe('clients: [\n')
  })
})

describe('connect at a running lab', () => {
  it('names its addresses, writes into its file, and says that it has to be started again', async () => {
    const own = file('own.yaml')
    writeFileSync(own, 'default_scope: "records:read"\n')
    const lab = await testLab(['--config', own])
    const at = (...args: readonly string[]) =>
      runProgram(['connect', ...args], { env: lab.env, cwd: folder.path })
    const { authorization } = lab.ready.urls
    const { stdout } = await at('step')
    expect(stdout).toContain(`# lab      ${authorization} (running)\n`)
    expect(stdout).toContain(`--provider ${authorization} --client-id demo-native`)
    const applied = await at('grafana', '--apply')
    expect(applied.stdout).toContain(`Changed ${own}, from line 2:\n`)
    expect(applied.stdout).toContain(`The lab ${authorization} read the file when it started.`)
    const stale = await at('grafana')
    expect(stale.stdout).toContain('# client   grafana, which the lab has\n')
    expect(stale.stdout).toContain('# - The lab file changed after the lab had started.')
    expect(readFileSync(own, 'utf8')).toContain('default_scope: "records:read"\nclients:\n')
  }, 30_000)
})

describe('the text of a lab file with a client more', () => {
  const entry = { client_id: 'new', redirect_uris: ['http://127.0.0.1/cb'] }
  const old = { client_id: 'old' }

  it.each([
    [
      'an empty list',
      'clients: []\n',
      'clients:\n  - client_id: new\n    redirect_uris:\n      - http://127.0.0.1/cb\n',
    ],
    ['no list', 'stage: login-only\n', 'stage: login-only\nclients:\n  # This list replaces'],
    ['nothing', '', 'clients:\n  # This list replaces'],
    ['a comment alone', '# mine\n', '# mine'],
    ['marks below the key', 'clients:\n- client_id: a\n', 'clients:\n- client_id: a\n- client_id: new\n'],
    ['brackets', 'clients: [{ client_id: a }]\n', 'clients: [ { client_id: a }, { client_id: new'],
    ['JSON', '{"clients":[{"client_id":"a"}]}', '{\n  "clients": [\n    {\n      "client_id": "a"\n    },\n'],
  ])('%s', async (_, before, after) => {
    const text = await withClient(before, entry, [old])
    expect(text).toContain(after)
    const { parseYaml } = await import('../../../src/protocol/yaml-text.js')
    const { clients } = (await parseYaml(text)).value as { clients: { client_id: string }[] }
    expect(clients.at(-1)).toEqual(entry)
    expect(clients[0]?.client_id).toBe(/client_id/.test(before) ? 'a' : /\[\]/.test(before) ? 'new' : 'old')
  })
})
