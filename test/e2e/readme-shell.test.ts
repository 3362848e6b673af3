// Every command line of the shell blocks of README.md, typed in a clean home as a newcomer does. The lines are read from
// there; the table says how each is run here and what it promises.
import { copyFileSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, type TestContext } from 'vitest'
import { registrySettings, registryUnreachable } from '../support/npm.js'
import { type Ended, jsonLines, temporaryFolder } from '../support/program.js'
import { commandLines, readmeBlocks } from '../support/readme.js'
import { describeWith, everythingRequired, findProgram } from '../support/requires.js'
import { read, root } from '../support/source-files.js'
import type { Standing } from './newcomer.js'
import { address, type ReadmeWorld, readmeWorld, secretOf } from './readme-world.js'

let world: ReadmeWorld
const place = temporaryFolder()
afterAll(async () => {
  await world?.close()
  place.remove()
})

/** A line as it is run here. */
interface Typed {
  /** The line, with running servers instead of made-up ones. */
  readonly line: string
  /** The lines before it in its block that set something in the shell. */
  readonly before: readonly string[]
  /** What the README says behind it. */
  readonly comment: string
  readonly skip: TestContext['skip']
}

/** Sees how a program ended. */
function ended(result: Ended, stdout: RegExp, code = 0): Ended {
  expect(result, result.stderr).toMatchObject({ code, stdout: expect.stringMatching(stdout) })
  return result
}

/** Types a line, and sees what it prints before it ends well. */
const prints =
  (stdout: RegExp, env: () => Readonly<Record<string, string>> = () => ({})) =>
  async ({ line, before }: Typed) =>
    ended(await world.alone.types([...before, line], { env: { ...world.alone.env, ...env() } }), stdout)

/** The same with more on the line. */
const printsWith = (more: string, stdout: RegExp) => (typed: Typed) =>
  prints(stdout)({ ...typed, line: `${typed.line}${more}` })

/** Runs a flow, and gives its outcome back. */
async function flow(line: string, who = world.alone, code = 0) {
  const { stdout } = ended(await who.types(`oauth-lab flow ${line} --json`), /"outcome"/, code)
  type Outcome = { outcome: string; error?: { error: string }; tokens?: { access_token: string } }
  return jsonLines(stdout).at(-1) as unknown as Outcome
}

/** The access token that a flow ends with. */
const tokenOf = async (line: string, who = world.alone) => (await flow(line, who)).tokens?.access_token ?? ''

/** The header or the claims of a JWT. */
function part(jwt: string, which: 'header' | 'claims'): Record<string, unknown> {
  const coded = jwt.split('.')[which === 'header' ? 0 : 1] ?? ''
  return JSON.parse(Buffer.from(coded, 'base64url').toString()) as Record<string, unknown>
}

/** Runs the line of a lab for as long as something is done with it. */
async function meanwhile(line: string, use: () => Promise<unknown>): Promise<Standing> {
  const lab = await world.student.starts(line)
  await use()
  expect(await lab.stop()).toMatchObject({ code: 130 })
  return lab
}
const demo = 'code --client demo'

/** Starts a resource server: it accepts a token for its audience, and none for another. */
const accepts = (audience: string) => async (line: string) => {
  const resource = `--client demo --resource ${(await world.alone.starts(line)).value('resource server')}/resource`
  const outcomes = await Promise.all([
    flow(`token-exchange --audience ${audience} ${resource}`),
    flow(`client-credentials ${resource}`, world.alone, 1),
  ])
  expect(outcomes.map(each => each.outcome)).toEqual(['granted', 'refused'])
}

/** How many bytes came, as the comment says. */
async function bytes(typed: Typed): Promise<void> {
  const { stdout } = await prints(/^ *\d+\n$/)(typed)
  expect(stdout.trim()).toBe(typed.comment)
}

/** What was cloned and built, in a folder where npm may do what it likes. */
function checkout(): string {
  const folder = join(place.path, 'checkout')
  if (existsSync(folder)) return folder
  mkdirSync(folder)
  for (const file of ['package.json', 'package-lock.json']) copyFileSync(join(root, file), join(folder, file))
  for (const each of ['bin', 'dist', 'fixtures']) symlinkSync(join(root, each), join(folder, each))
  return folder
}

/** Types a line of npm that needs no network. The program is built already; other tests are running it. */
const npm = (line: string, settings: Readonly<Record<string, string>> = {}, cwd = checkout()) =>
  world.alone.types(line, {
    cwd,
    env: {
      ...world.alone.env,
      npm_config_offline: 'true',
      npm_config_ignore_scripts: 'true',
      npm_config_update_notifier: 'false',
      ...settings,
    },
  })

/** Types a line into another shell, and then one that asks what can be typed. */
async function completes(line: string, question: string, shell: readonly string[], offered: RegExp) {
  ended(await world.alone.types([line, question], { shell }), offered)
}

/** How each line is run, and what it promises. */
const table: Readonly<Record<string, (typed: Typed) => Promise<unknown>>> = {
  // What npm ci makes of the lock file, the next line shows.
  'npm ci && npx oauth-lab flow code --client demo': async ({ line }) =>
    ended(await npm(line.replace('npm ci && ', '')), /^granted {2}alice -> demo/m),
  // Nothing is unpacked, and what npm test would run is said but not run: it is these tests.
  'npm ci && npm test': async ({ line }) => {
    const says = join(place.path, 'says')
    writeFileSync(says, '#!/bin/sh\necho "runs: $2"\n', { mode: 0o755 })
    const result = await npm(line, { npm_config_dry_run: 'true', npm_config_script_shell: says })
    ended(result, /^added \d+ packages[\s\S]*^runs: npm run check && vitest run$/m)
    expect(read('.ci/run')).toMatch(/^npm ci .*\nOAUTH_LAB_E2E=required npm test$/m)
  },
  'npm link': async ({ line }) => {
    const prefix = join(place.path, 'global')
    ended(await npm(line, { npm_config_prefix: prefix }), /^added 1 package/m)
    ended(await world.alone.types(`'${prefix}/bin/oauth-lab' --version`), /^\d+\.\d+\.\d+\n$/)
  },

  'oauth-lab flow code --issuer https://id.example --client-id web --client-secret-file secret.txt --redirect-uri http://127.0.0.1:7000/callback --scope openid --browser':
    prints(/^granted {2}alice -> web/m, () => ({ BROWSER: world.browser })),
  'oauth-lab flow code --issuer https://id.example --client-id signer --client-key key.pem --par --dpop --scope openid --user alice --password-stdin < password.txt':
    prints(/POST \/request[\s\S]*DPoP[\s\S]*^granted/m),
  "oauth-lab flow refresh --issuer https://id.example --client-id app --user alice:wonderland --scope 'openid offline_access' --param prompt=consent":
    prints(/^granted/m, () => ({ OAUTH_LAB_CLIENT_SECRET: secretOf('app') })),

  'oauth-lab doctor https://id.example --client-id web --client-secret-file secret.txt --redirect-uri https://web.example/cb --user alice --password-stdin < password.txt':
    printsWith('; echo "exit $?"', /^score \d+ %: \d+ passed, [1-9]\d* faults?[\s\S]*exit 1$/m),
  'oauth-lab doctor http://localhost:8080 --client-id any --json | jq \'.findings[] | select(.result == "fault")\'':
    prints(/"result": "fault"[\s\S]*"rule"/),

  'oauth-lab serve --stage shared-secret': ({ line }) =>
    meanwhile(line, async () =>
      expect(part(await tokenOf(demo, world.student), 'header')).toMatchObject({ alg: 'HS256' }),
    ),
  'oauth-lab serve --stage shared-secret --explain': prints(/here +HS256[\s\S]*otherwise +RS256\n +why /),
  'oauth-lab serve --fail token:invalid_grant:once': ({ line }) =>
    meanwhile(line, async () => {
      const refused = { outcome: 'refused', error: { error: 'invalid_grant' } }
      expect(await flow(demo, world.student, 1)).toMatchObject(refused)
      expect(await flow(demo, world.student)).toMatchObject({ outcome: 'granted' })
    }),
  'oauth-lab serve --profile reference': async ({ line }) => {
    const lab = await meanwhile(line, async () => {
      const { stdout } = await world.student.types(`oauth-lab flow ${demo}`)
      expect(stdout).toContain('it looks like milliseconds')
    })
    expect(lab.said()).toMatch(/Profile reference: .* on this machine only/)
  },
  'oauth-lab keys rotate': async ({ line }) => {
    const kid = async () => part(await tokenOf('client-credentials --client demo'), 'header').kid
    const before = await kid()
    ended(await world.alone.types(line), /\S/)
    expect(await kid()).not.toBe(before)
  },
  'oauth-lab serve --seed 7 --now 2030-01-01T12:00:00Z': async ({ line }) => {
    const tokens: string[] = []
    const keep = async () => tokens.push(await tokenOf(demo, world.student))
    const { port } = new URL((await meanwhile(line, keep)).value('authorization server'))
    await meanwhile(line.replace('--port 0', `--port ${port}`), keep)
    expect(tokens[1]).toBe(tokens[0])
    expect(part(tokens[0] ?? '', 'claims')).toMatchObject({ iat: Date.parse('2030-01-01T12:00:00Z') / 1000 })
  },

  "TOKEN=$(oauth-lab flow code --client demo --json | jq -r 'select(.outcome).tokens.access_token')":
    async typed => {
      const { stdout } = await printsWith('; echo "$TOKEN"', /^\S+\n$/)(typed)
      expect(part(stdout, 'claims')).toMatchObject({ sub: 'alice' })
    },
  'curl --cacert "$(oauth-lab ca path)" -H "Authorization: Bearer $TOKEN" https://localhost:8444/resource':
    prints(/"sub": ?"alice"/),

  'oauth-lab resource --issuer https://login.example --audience https://api.example': ({ line }) =>
    accepts('https://api.example')(line),
  'oauth-lab resource --issuer https://login.example --audience api --key public.pem': async ({ line }) => {
    ended(await world.alone.types('oauth-lab keys export --pem > public.pem'), /^$/)
    await accepts('api')(line)
  },

  'curl -s --cacert "$(oauth-lab ca path)" -H \'Accept-Encoding: gzip\' https://localhost:8443/kb/2 | wc -c':
    bytes,
  'curl -s --cacert "$(oauth-lab ca path)" -H \'Accept-Encoding: gzip\' https://localhost:8443/kb/200 | wc -c':
    bytes,

  'curl --cacert "$(oauth-lab ca path)" https://localhost:8443/': prints(/^Hello/),
  'eval "$(oauth-lab ca env)"': async ({ line }) => {
    const url = world.lab.value('authorization server')
    const programs = [
      `curl -sf ${url}`,
      `'${process.execPath}' -e 'fetch("${url}").catch(() => process.exit(1))'`,
      `python3 -c 'import urllib.request; urllib.request.urlopen("${url}")'`,
    ]
    const asked = programs.map(each => `${each} >/dev/null 2>&1 && echo trusted || echo refused`)
    const answers = async (lines: string[]) => (await world.alone.types(lines)).stdout.trim().split('\n')
    expect(await Promise.all([answers(asked), answers([line, ...asked])])).toEqual([
      ['refused', 'refused', 'refused'],
      ['trusted', 'trusted', 'trusted'],
    ])
  },

  // The store of this computer is not a test's to change; test/commands/ca-trust.test.ts has one of its own.
  'oauth-lab ca install --dry-run': prints(/^ {2}\S*certutil -A .*nssdb/m),
  'oauth-lab ca install': printsWith(' --dry-run', /^ {2}\S*certutil -A .*nssdb/m),
  'oauth-lab ca install --only nss': async typed => {
    await printsWith(' --yes', /^Installed in .*nssdb/)(typed)
    expect(existsSync(join(world.alone.home, '.pki/nssdb/cert9.db'))).toBe(true)
  },
  'oauth-lab ca uninstall': printsWith(' --dry-run', /certutil -D .*oauth-lab CA/),

  'eval "$(oauth-lab completion bash)"': ({ line }) =>
    completes(
      line,
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is of bash.
      'complete -p oauth-lab; COMP_WORDS=(oauth-lab fl); COMP_CWORD=1; _oauth_lab; echo "${COMPREPLY[*]}"',
      ['bash', '--norc', '-c'],
      /^complete -F _oauth_lab .*oauth-lab\nflow\n$/,
    ),
  'source <(oauth-lab completion zsh)': ({ line }) =>
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is of zsh.
    completes(line, 'echo ${_comps[oauth-lab]}', ['zsh', '-f', '-c'], /^_oauth_lab\n$/),
  'oauth-lab completion fish | source': ({ line }) =>
    completes(line, "complete -C 'oauth-lab fl'", ['fish', '--no-config', '-c'], /^flow\t/m),
  'oauth-lab completion powershell | Out-String | Invoke-Expression': async ({ line, skip }) => {
    // No package of Debian has it.
    if (findProgram('pwsh') === undefined) return skip('pwsh is not installed')
    const question =
      "(TabExpansion2 -inputScript 'oauth-lab fl' -cursorColumn 12).CompletionMatches.CompletionText"
    return completes(line, question, ['pwsh', '-NoProfile', '-NonInteractive', '-Command'], /^flow/m)
  },

  'npm pack': async ({ line, comment }) => {
    const { stdout } = ended(
      await npm(line, { npm_config_pack_destination: world.alone.home }, root),
      /\.tgz\n$/,
    )
    expect(comment).toContain(`: ${stdout.trim()}`)
  },
  'npm install --prefix workshop ./oauth-lab-0.1.0.tgz': async ({ line, skip }) => {
    const env = {
      ...world.alone.env,
      ...registrySettings,
      npm_config_audit: 'false',
      npm_config_fetch_retries: '0',
      npm_config_prefer_offline: 'true',
    }
    const installed = await world.alone.types(line, { env })
    if (installed.code !== 0 && registryUnreachable(installed.stderr) && !everythingRequired) {
      skip('the npm registry cannot be reached')
    }
    ended(installed, /^added \d+ packages/m)
  },
  'node workshop/node_modules/oauth-lab/bin/oauth-lab.js flow code --client demo --plain': async typed => {
    const installed = existsSync(join(world.alone.home, 'workshop/node_modules/oauth-lab'))
    if (!installed) typed.skip('it is not installed')
    await prints(/^granted {2}alice -> demo/m)(typed)
  },

  'oauth-lab serve --host 192.0.2.7 --config workshop.yaml': async ({ line }) => {
    writeFileSync(join(world.student.home, 'workshop.yaml'), readmeBlocks('yaml')[0] ?? '')
    const teacher = await world.student.starts(line)
    expect(new URL(teacher.value('authorization server')).hostname).toBe(address)
    world.teaches(teacher)
  },
  'oauth-lab ca path': async ({ line, comment }) => {
    const { student, participant } = world
    const { stdout } = ended(await student.types(line), /^\/.*\.pem\n$/)
    expect(comment).toMatch(/as class\.pem$/)
    copyFileSync(stdout.trim(), join(participant.home, 'class.pem'))
    copyFileSync(join(student.home, 'workshop.yaml'), join(participant.home, 'workshop.yaml'))
  },
  'export OAUTH_LAB_SERVER=https://192.0.2.7:8443': async ({ line }) =>
    ended(await world.participant.types([line, 'echo "$OAUTH_LAB_SERVER"']), /^https:\S+:\d+\n$/),
  'export OAUTH_LAB_CACERT=$PWD/class.pem OAUTH_LAB_CONFIG=$PWD/workshop.yaml': async ({ line }) =>
    ended(await world.participant.types([line, 'ls "$OAUTH_LAB_CACERT" "$OAUTH_LAB_CONFIG"']), /\S+\n\S+\n$/),
  'oauth-lab flow code --client web --user dora': async ({ line, before }) =>
    ended(await world.participant.types([...before, line]), /^granted {2}dora -> web/m),
  'oauth-lab flow resource --client web --resource https://192.0.2.7:8444/resource': async ({
    line,
    before,
  }) => ended(await world.participant.types([...before, line]), /^granted {2}dora -> web/m),
}

/** Programs that a line needs. */
function needs(line: string): string[] {
  const shell = /completion (zsh|fish)/.exec(line)?.[1]
  return [...(shell === undefined ? [] : [shell]), ...(/ca (un)?install/.test(line) ? ['certutil'] : [])]
}

describeWith(['bash', 'curl', 'jq', 'python3'], 'README.md, line by line in a shell', () => {
  beforeAll(async () => {
    world = await readmeWorld()
  })

  const blocks = readmeBlocks('sh').map(commandLines)
  for (const block of blocks) {
    for (const [at, { line, comment }] of block.entries()) {
      const keepsItsPromise = () =>
        it(line, { timeout: 120_000 }, async ({ skip }) => {
          const run = table[line]
          if (run === undefined) {
            throw new Error(
              `README.md has a line that nothing runs. Add it to the table of test/e2e/readme-shell.test.ts, with how it is run and what it promises: ${line}`,
            )
          }
          const setting = block.slice(0, at).filter(each => /^(export |\w+=)/.test(each.line))
          const before = setting.map(each => world.here(each.line))
          await run({ line: world.here(line), before, comment, skip })
        })
      const programs = needs(line)
      if (programs.length === 0) keepsItsPromise()
      else describeWith(programs, `with ${programs.join(', ')}`, keepsItsPromise)
    }
  }

  it('has every line that the table knows', () => {
    const lines = blocks.flat().map(each => each.line)
    expect(Object.keys(table).filter(each => !lines.includes(each))).toEqual([])
  })
})
