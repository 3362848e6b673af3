import { generateKeyPairSync } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { wholeProgram } from '../../../src/commands/program/program.js'
import { withSubcommands } from '../../support/commands.js'
import { FREE_PORTS, freePort } from '../../support/free-ports.js'
import { calls, examplesOf } from '../../support/help-examples.js'
import { runHere, type Said } from '../../support/in-process.js'
import { commandFolder, type Ended, start, temporaryFolder, until } from '../../support/program.js'
import { describeWith } from '../../support/requires.js'
import { type Serving, serve } from '../../support/serve.js'
import { root } from '../../support/source-files.js'

/** Examples that cannot run in a test, with the reason. test/docs/help-examples.test.ts parses them all the same. */
const NOT_RUN: ReadonlyArray<readonly [example: RegExp, reason: string]> = [
  [/ --(browser|open|paste)\b/, 'asks a person, in a browser'],
  [/cf dns delete --type A|learn test my-lessons$/, 'asks on a terminal'],
  [/\/\/[\w.-]*example(\.com)?\b|amazonaws|10\.0\.0\.1|:8080 +a mock/, 'names a server of somebody else'],
  [/CLOUDFLARE_API_TOKEN|--webhook-file|cf verify --token-file/, 'needs an account of a service'],
  [/--host 0\.0\.0\.0/, 'opens the lab to the network'],
  [/pbpaste|\$EDITOR|powershell|fish|zsh/, 'needs a program of another system, or a person'],
  [/--context dev|--cluster https|\/var\/run\/secrets/, 'needs a cluster of somebody else'],
  [/npm run dev|npx next dev/, 'needs an application'],
  [/ca (un)?install --only nss --yes/, 'changes what the user of the machine trusts'],
  [/saml decode|@assertion\.xml|--issuer-key idp\.pem/, 'needs the answer or key of an identity provider'],
  [/jwt decrypt/, 'needs a token that was encrypted for the client'],
  [
    /\boauth-lab (?:join \d|leave)|workshop (?:report|forget)/,
    'needs the room of a teacher: test/programs/room has one',
  ],
  [/\boauth-lab workshop(?: check| --)/, 'opens a room to the network: test/programs/room opens one'],
  [/in a capstone$|learn check (--watch )?-- node/, 'needs a capstone, or a client, that was built'],
]

/** Examples that wait as a server asks them to. */
const WAITING = /flow (device|ciba) /

/** Examples that run until somebody ends them: the test does, once they have printed something. */
const UNTIL_ENDED =
  /^oauth-lab (serve|resource|compress proxy(?!.*--nginx-conf)|k8s mount|client-document .*--serve|learn start capstone|workshop rehearse)|resource --issuer|cf events --follow/

/** Examples of a refusal, a fault, or of something that is not done yet: they exit with 1. */
const REFUSED =
  /alice:wrong|--audience other|profile bcp|explain (invalid_grant|lab\.jsonl|'https)|k8s doctor|--deny|--ignore\b.*expires|learn check|audience https:\/\/api/

/** Lines that make what an example needs, before it. They may print its value, which replaces a name of the example. */
const BEFORE: ReadonlyArray<readonly [example: RegExp, line: string, replaced?: string]> = [
  [/jwk create .*-o key\.jwk/, 'rm -f key.jwk'],
  [/jwk create .*-o client\.jwk/, 'rm -f client.jwk'],
  [/jwk create .*-o server\.pem/, 'rm -f server.pem'],
  [/ca client \S+/, 'rm -rf certificates'],
  [/learn test/, 'rm -rf my-lessons; oauth-lab learn new my-lessons'],
  [
    /token show|token forget 3f2a/,
    'oauth-lab call /resource >call.txt; oauth-lab token list --json | jq -r .tokens[0].id',
    '3f2a',
  ],
  [
    /register (read|update|delete)/,
    'oauth-lab register --redirect-uri http://127.0.0.1/callback --json | jq -r .client.client_id',
    '3f2a9c',
  ],
  [
    /jwt verify "\$TOKEN" --secret-stdin/,
    'printf %s "$SECRET" | oauth-lab jwt sign \'{"sub":"alice"}\' --secret-stdin --expires-in 10m',
    '"$TOKEN"',
  ],
  [/convert keys\.json/, 'jq -r .keys[0].kid keys.json', '2026-11'],
  [/whoami --bearer-file/, 'oauth-lab k8s token > token.jwt'],
  [/@token\.jwt/, 'oauth-lab k8s token --audience api > token.jwt'],
  [/revoke "\$TOKEN"/, 'oauth-lab flow code -o token', '"$TOKEN"'],
  [/"\$TOKEN"|token\.txt/, 'cp a.txt token.txt; cat a.txt', '"$TOKEN"'],
  [
    /refresh-token - <token/,
    "oauth-lab flow code --json | jq -r 'select(.outcome).tokens.refresh_token' > token.txt",
  ],
  [
    /"\$ID_TOKEN"/,
    "oauth-lab flow code --scope openid --json | jq -r 'select(.outcome).tokens.id_token'",
    '"$ID_TOKEN"',
  ],
  [/learn (check|hint|answer|open|solution|explain|reset)/, 'oauth-lab learn start 00-printing-service'],
]

/** A payment that somebody can be asked for (RFC 9396). */
const PAYMENT = JSON.stringify([
  {
    type: 'payment_initiation',
    instructedAmount: { currency: 'EUR', amount: '10.00' },
    creditorName: 'bob',
    creditorAccount: { iban: 'DE02100100109307118603' },
  },
])

/** Makes the files that examples name. */
const FILES = [
  'printf wonderland > password.txt',
  "oauth-lab flow code --scope 'openid profile' -o token > a.txt",
  'cp a.txt b.txt',
  'oauth-lab flow code --export har -o login.har',
  'oauth-lab flow code --json > run.jsonl',
  'oauth-lab jwk create -o key.jwk',
  'oauth-lab jwk create --alg RS256 --pem -o key.pem',
  'cp key.jwk client.jwk; cp key.pem client.pem; cp key.pem server.pem',
  'oauth-lab keys export --jwks > keys.json',
  'cp keys.json jwks.json',
  'oauth-lab keys export --pem > public.pem',
  `echo '{"sub":"alice"}' > claims.json`,
  `echo '{"redirect_uris":["http://127.0.0.1/callback"]}' > client.json`,
  `echo '<p>page</p>' > page.html`,
  `echo 'fetch("http://127.0.0.1:9").catch(() => {})' > app.js`,
  'oauth-lab cf dns list -o bind > example.com.zone',
  'cp example.com.zone zone.txt',
  'oauth-lab learn new my-lessons',
  'oauth-lab doctor --json > known.json',
]

const program = await wholeProgram()
const examples = [...new Set(withSubcommands(program).flatMap(examplesOf))].filter(
  each => !NOT_RUN.some(([pattern]) => pattern.test(each)),
)

/** The built-in lab, with the person, the client and the server that examples name. */
function labFile(issuer: string, till: JsonWebKey): string {
  const built = JSON.parse(readFileSync(join(root, 'fixtures/lab.json'), 'utf8'))
  return JSON.stringify({
    ...built,
    users: [
      ...built.users,
      { username: 'dora', password: 'explorer', totp_secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ' },
    ],
    clients: [
      ...built.clients,
      {
        client_id: 'till',
        jwks: { keys: [{ ...till, kid: 'till' }] },
        token_endpoint_auth_method: 'private_key_jwt',
        grant_types: ['urn:openid:params:grant-type:ciba'],
        backchannel_token_delivery_mode: 'poll',
        backchannel_authentication_request_signing_alg: 'ES256',
        allowed_scopes: ['openid'],
      },
    ],
    servers: { work: { issuer, client_id: 'demo', client_secret: built.clients[0].client_secret } },
  })
}

/** A line that needs no shell, without its quoted words: one call of the program, with stdin from a file, and stdout to one. */
const ONE_CALL = /^oauth-lab [^|&;<>$`(]*(?:< ?([^\s~]+))?(?:> ?([^\s~]+))?$/

describeWith(['bash', 'jq', 'kubectl', 'setsid'], 'the examples of every help', () => {
  const folder = temporaryFolder()
  let lab: Serving
  let env: Record<string, string>

  /** Starts a line as the leader of a process group. */
  const bash = (line: string) =>
    start('setsid', ['bash', '-c', `set -o pipefail; ${line}`], { env, cwd: folder.path, limit: 110_000 })
  /** Runs a line to its end: in this process, which is faster, where it needs no shell. */
  async function run(line: string): Promise<Ended | Said> {
    const [call, from, to] = ONE_CALL.exec(line.replaceAll(/'[^']*'|"[^"$]*"/g, '')) ?? []
    if (call === undefined) return bash(line).ended
    const input = from === undefined ? '' : readFileSync(join(folder.path, from), 'utf8')
    const said = await runHere(calls(line)[0]!, { env, cwd: folder.path, input })
    if (to !== undefined) writeFileSync(join(folder.path, to), said.stdout)
    return said
  }

  /** An example as it runs here: without its remark, at the addresses of the lab. */
  function here(example: string): string {
    const { urls } = lab.ready
    return example
      .replace(/ {2,}\S.*$/, '')
      .replaceAll('https://localhost:8443', urls.authorization)
      .replaceAll('https://localhost:8444', urls.resource)
      .replaceAll('https://localhost:8446', new URL(urls.dns).origin)
      .replaceAll('http://localhost:8080', urls.http)
  }

  beforeAll(async () => {
    const port = await freePort()
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const written = (name: string, text: string) => writeFileSync(join(folder.path, name), text)
    written('oauth-lab.yaml', labFile(`https://localhost:${port}`, publicKey.export({ format: 'jwk' })))
    written('till.pem', String(privateKey.export({ type: 'pkcs8', format: 'pem' })))
    const ports = ['--port', String(port), '--cluster-port', '0', '--dns-port', '0']
    lab = await serve(['--config', join(folder.path, 'oauth-lab.yaml'), '--cluster-oidc', ...ports])
    env = {
      ...lab.env,
      PATH: `${commandFolder(folder.path)}:${lab.env.PATH}`,
      SECRET: 'a-secret-that-is-long-enough-for-HS256',
    }
    written('payment.json', PAYMENT)
    for (const line of FILES) {
      const { code, stderr } = await run(line)
      expect(code, `${line}\n${stderr}`).toBe(0)
    }
    written('lab.jsonl', (await lab.events()).map(each => `${JSON.stringify(each)}\n`).join(''))
  }, 300_000)
  afterAll(async () => {
    await lab.remove()
    folder.remove()
  })

  /** Runs what an example needs, and returns the example with the values that this printed. */
  async function prepared(example: string): Promise<string> {
    let line = here(example)
    for (const [pattern, before, replaced] of BEFORE) {
      if (!pattern.test(example)) continue
      const { code, stdout, stderr } = await run(before)
      expect(code, `${before}\n${stderr}`).toBe(0)
      if (replaced !== undefined) line = line.replace(replaced, () => stdout.trim())
    }
    return line
  }

  const endsRight = (way: typeof run) => async (example: string) => {
    const { code, stdout, stderr } = await way(await prepared(example))
    expect(code, `${stdout}\n${stderr}`).toBe(REFUSED.test(example) ? 1 : 0)
  }
  const once = examples.filter(each => !UNTIL_ENDED.test(each))
  const inOrder = once.filter(each => !WAITING.test(each))
  it.each(inOrder)('%s', { timeout: 120_000 }, endsRight(run))
  const waiting = once.filter(each => WAITING.test(each))
  const inShell = endsRight(line => bash(line).ended)
  it.concurrent.each(waiting)('%s', { timeout: 120_000 }, inShell)

  /** An example that runs until it is ended: on free ports, its lab in a folder of its own. */
  function ended(example: string): string {
    const ports = (options: string) => (text: string) =>
      text.includes('--port') ? text.replace(/--port \d+/, '--port 0') : `${text} ${options}`
    const own = /serve|capstone/.test(example) ? 'OAUTH_LAB_HOME=$(mktemp -d -p .) ' : ''
    return here(example)
      .replace(/oauth-lab serve/, text => `${text} ${FREE_PORTS.join(' ')}`)
      .replace(/--client-port \d+/, '--client-port 0')
      .replace(/oauth-lab (resource|compress proxy|client-document)[^|]*/, ports('--port 0'))
      .replace(/oauth-lab workshop rehearse/, text => `${text} --port 0 --http-port 0`)
      .replace(/oauth-lab (serve|resource|compress|k8s mount|client-document|learn|workshop|cf)/, `${own}$&`)
  }

  it.concurrent.each(examples.filter(each => UNTIL_ENDED.test(each)))(
    '%s',
    { timeout: 60_000 },
    async example => {
      const running = bash(ended(example))
      const { child, stdout: printed } = running
      // A program behind a pipe may print nothing before its end.
      const last = Date.now() + 15_000
      await until(
        () => printed() !== '' || child.exitCode !== null || Date.now() > last || undefined,
        running.stderr,
      )
      if (child.exitCode === null) process.kill(-child.pid!, 'SIGINT')
      const { code, signal, stdout, stderr } = await running.ended
      expect([0, 130, 'SIGINT'], stderr).toContain(code ?? signal)
      expect(stdout + stderr).not.toBe('')
      expect(stderr).not.toMatch(/^oauth-lab: /m)
    },
  )
})
