import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FlowRecord } from '../../../../../src/flows/step.js'
import { curlCommand } from '../../../../../src/show/render/curl/curl.js'
import { curlScript } from '../../../../../src/show/render/curl/curl-script.js'
import { exportOptions, hostileRun, hostileText } from '../../../../show/render/hostile.js'
import { exchange, RUN, TOKEN_STEP } from '../../../../show/tui/steps.js'
import { sharedFolder } from '../../../../support/shared.js'

const folder = sharedFolder()

describe('curlCommand', () => {
  it('writes one exchange, secrets as variables', () => {
    expect(curlCommand(TOKEN_STEP.exchange!, { showSecrets: false })).toBe(
      [
        'curl --globoff',
        '--cacert "$(oauth-lab ca path)"',
        '-u "demo:$OAUTH_CLIENT_SECRET"',
        '--data-urlencode grant_type=authorization_code',
        '--data-urlencode "code=$OAUTH_CODE"',
        '--data-urlencode redirect_uri=http://127.0.0.1:7000/callback',
        '--data-urlencode "code_verifier=$OAUTH_CODE_VERIFIER"',
        '--url https://127.0.0.1:8443/token',
      ].join(' \\\n  '),
    )
  })

  it('writes secrets where they are to be shown', () => {
    const command = curlCommand(TOKEN_STEP.exchange!, { showSecrets: true })
    expect(command).toContain(
      `-H 'authorization: Basic ${Buffer.from('demo:demo-secret-0123456789').toString('base64')}'`,
    )
    expect(command).toContain('--data-urlencode code=k3V9wTzR4bLqYc0eXnA7uHsJfQm1')
    expect(command).not.toContain('$OAUTH')
  })

  it.each([
    ['GET', '', [], ['--url https://as.example/']],
    ['POST', '', [], ["--data ''", '--url https://as.example/']],
    ['DELETE', '', [], ['-X DELETE', '--url https://as.example/']],
    ['HEAD', '', [], ['--head', '--url https://as.example/']],
    [
      'PUT',
      '{"a":"it\'s"}',
      [['content-type', 'application/json']],
      [
        '-X PUT',
        "-H 'content-type: application/json'",
        `--data-raw '{"a":"it'\\''s"}'`,
        '--url https://as.example/',
      ],
    ],
    [
      'POST',
      '@/etc/passwd&a=%0A&%zz',
      [['content-type', 'application/x-www-form-urlencoded']],
      ['--data %40/etc/passwd', '--data a=%0A', '--data %zz', '--url https://as.example/'],
    ],
  ] as const)('%s %j', (method, body, headers, words) => {
    const sent = exchange(method, 'https://as.example/', { status: 200 }, { headers, body })
    expect(curlCommand(sent, { showSecrets: true }).split(' \\\n  ').slice(1)).toEqual(words)
  })
})

describe('curlScript', () => {
  const hidden = JSON.stringify(RUN).replaceAll('name=\\"csrf\\"', 'type=\\"hidden\\" name=\\"csrf\\"')
  const script = curlScript(JSON.parse(hidden) as FlowRecord[], exportOptions)

  it('reads values of the server from its new answers', () => {
    expect(script).toContain('field_csrf=$(hidden_field csrf)')
    expect(script).toContain('--data-urlencode "csrf=$field_csrf"')
    expect(script).toContain('code=$(redirect_parameter code)')
    expect(script).toContain('--data "code=$code"')
    expect(script).not.toMatch(/wonderland|s3cretvalue|k3V9|demo-secret/)
  })

  it('asks for the secrets it needs, or holds them', () => {
    expect(script).toMatch(/^: "\$\{OAUTH_CLIENT_SECRET:\?/m)
    expect(script).toMatch(/^: "\$\{OAUTH_PASSWORD:\?/m)
    const shown = curlScript(RUN, { ...exportOptions, showSecrets: true })
    expect(shown).not.toMatch(/OAUTH_(CLIENT_SECRET|PASSWORD)/)
    expect(shown).toContain('--data-urlencode password=wonderland')
  })

  it('holds the CA it is given, and nothing else of that text', () => {
    const caPem = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\nEND_OF_CA\ntouch canary\n'
    const text = curlScript(RUN, { ...exportOptions, caPem })
    expect(text).toContain(
      "<<'END_OF_CA'\n-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\nEND_OF_CA\ncacert=",
    )
    expect(text).not.toContain('canary')
  })

  it('runs nothing and reads nothing that a recorded value names', () => {
    // A curl that answers 200 to everything and hands the page of the recorded run out.
    const page = `<form><input type="hidden" name="csrf" value="x">`
    const bin = join(folder.path, 'curl')
    writeFileSync(
      bin,
      `#!/bin/sh\nwhile [ $# -gt 0 ]; do case $1 in -D) : >"$2";; -o) printf %s '${page}' >"$2";; @*|*=@*) ;; esac; shift; done\nprintf '200 '\n`,
      { mode: 0o755 },
    )
    const before = readdirSync(folder.path)
    fc.assert(
      fc.property(hostileText, fc.boolean(), (text, showSecrets) => {
        const hostile = curlScript(hostileRun(text), {
          ...exportOptions,
          flow: text,
          clientId: text,
          showSecrets,
        })
        expect(hostile).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]/)
        const { status, stderr } = spawnSync('sh', [], {
          input: hostile,
          cwd: folder.path,
          encoding: 'utf8',
          env: {
            PATH: `${folder.path}:${process.env.PATH}`,
            TMPDIR: folder.path,
            OAUTH_LAB_CACERT: '/x',
            OAUTH_PASSWORD: 'p',
            OAUTH_CLIENT_SECRET: 's',
            OAUTH_CODE: 'c',
            OAUTH_AUTHORIZATION: 'a',
          },
        })
        expect(stderr).not.toMatch(/[Ss]yntax|not found|unexpected/)
        expect([0, 1, 2]).toContain(status)
        expect(existsSync(join(folder.path, 'canary'))).toBe(false)
        expect(readdirSync(folder.path)).toEqual(before)
      }),
      { numRuns: 40 },
    )
  })
})
