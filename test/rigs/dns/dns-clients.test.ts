import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startLab } from '../../../src/lab/lab.js'
import { loadLabConfig } from '../../../src/lab/lab-file/config.js'
import type { Lab } from '../../../src/lab/model.js'
import { email, token, zone } from '../../servers/cloudflare/support.js'

const run = promisify(execFile)
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const python = (program: string) => here(`../../../node_modules/.cache/dns-clients/python/bin/${program}`)

// .ci/dns-clients installs the programs, and sets the variable.
const wanted = process.env.OAUTH_LAB_DNS_CLIENTS === 'run'

describe.skipIf(!wanted)('the DNS API with clients of others (npm run dns-clients)', () => {
  const home = mkdtempSync(join(tmpdir(), 'oauth-lab-dns-clients-'))
  const file = (name: string, text: string) => {
    writeFileSync(join(home, name), text)
    return join(home, name)
  }
  let lab: Lab
  let env: NodeJS.ProcessEnv
  beforeAll(async () => {
    lab = await startLab({ config: await loadLabConfig(null), home, ports: { authorization: 0, dns: 0 } })
    const ca = file('ca.pem', lab.caPem)
    env = { ...process.env, SSL_CERT_FILE: ca, REQUESTS_CA_BUNDLE: ca }
  })
  afterAll(async () => {
    await lab.stop()
    rmSync(home, { recursive: true })
  })

  /** Runs a program with the base URL, the token and the zone, and returns the JSON that it prints. */
  async function answers(program: string, ...args: readonly string[]): Promise<unknown> {
    const { stdout } = await run(program, [...args, lab.urls.dns!, token, zone], { env })
    return JSON.parse(stdout)
  }

  it('works with the Python SDK 5.9', async () => {
    expect(await answers(python('python'), here('python-sdk.py'))).toEqual({
      token: 'active',
      zones: ['example.com', 'example.org'],
      zone: 'example.com',
      accounts: 1,
      before: 16,
      edited: '192.0.2.91',
      refused: 81058,
      found: [true],
      imported: 1,
      exported: true,
      deleted: true,
      setting: 'full',
      settings: true,
      dnssec: 'disabled',
      rules: 0,
    })
  })

  it('works with cloudflare-go 0.116', async () => {
    expect(await answers(here('../../../node_modules/.cache/dns-clients/go-client'))).toEqual({
      zones: 2,
      zone: 'example.com',
      user: email,
      token: 'active',
      dnssec: 'disabled',
      settings: true,
      ssl: 'full',
      rules: 0,
      before: expect.any(Number),
      refused: true,
      edited: '192.0.2.81',
      read: '192.0.2.81',
      imported: { 'plain.example.com': false, 'proxied.example.com': true },
      exported: true,
    })
  })

  it('works with octodns-cloudflare, whose second plan is empty', async () => {
    file(
      'example.org.yaml',
      [
        "'':",
        '  - type: A',
        '    value: 192.0.2.70',
        '  - type: MX',
        '    value: {exchange: mail.example.org., preference: 10}',
        '  - type: TXT',
        '    values: ["v=spf1 -all", "long \\\\; text"]',
        'www:',
        '  type: CNAME',
        '  value: example.org.',
        '_sip._tcp:',
        '  type: SRV',
        '  value: {priority: 1, weight: 2, port: 5060, target: sip.example.org.}',
        'caa:',
        '  type: CAA',
        '  value: {flags: 0, tag: issue, value: ca.example}',
        '',
      ].join('\n'),
    )
    const config = file(
      'octodns.yaml',
      JSON.stringify({
        providers: {
          files: {
            class: 'octodns.provider.yaml.YamlProvider',
            directory: home,
            default_ttl: 300,
            enforce_order: false,
          },
          lab: {
            class: 'octodns_cloudflare.CloudflareProvider',
            token,
            api_url: lab.urls.dns,
            pagerules: true,
            retry_period: 1,
          },
        },
        zones: { 'example.org.': { sources: ['files'], targets: ['lab'] } },
      }),
    )
    const sync = () =>
      run(python('octodns-sync'), ['--config-file', config, '--doit', '--force', '--debug'], {
        env,
        timeout: 60_000,
      })
    const first = await sync()
    expect(first.stdout + first.stderr).toMatch(/apply: +making \d+ changes/i)
    const second = await sync()
    expect(second.stdout + second.stderr).toMatch(/No changes were planned/)
  }, 120_000)
})
