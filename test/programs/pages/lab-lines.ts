import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { findProgram } from '../../support/requires.js'
import {
  ended,
  flow,
  type LineTable,
  meanwhile,
  part,
  prints,
  printsWith,
  type Typed,
  tokenOf,
} from './typed.js'

const demo = 'code --client demo'

/** Starts a resource server. It accepts a token for its audience, and refuses a token for another. */
const accepts =
  (audience: string) =>
  async ({ line, world: { alone } }: Typed) => {
    const resource = `--client demo --resource ${(await alone.starts(line)).value('resource server')}/resource`
    const outcomes = await Promise.all([
      flow(alone, `token-exchange --audience ${audience} ${resource}`),
      flow(alone, `client-credentials ${resource}`, 1),
    ])
    expect(outcomes.map(each => each.outcome)).toEqual(['granted', 'refused'])
  }

/** Types a line of kubectl as the administrator of the lab's cluster. No package of Debian has kubectl. */
const kubectl =
  (stdout: RegExp) =>
  async (typed: Typed): Promise<unknown> => {
    if (findProgram('kubectl') === undefined) return typed.skip('kubectl is not installed')
    const before = ['export KUBECONFIG="$HOME/lab.kubeconfig"', 'oauth-lab k8s kubeconfig > "$KUBECONFIG"']
    return prints(stdout)({ ...typed, before })
  }

/** Compares the number of bytes with the comment. */
async function bytes(typed: Typed): Promise<void> {
  const { stdout } = await prints(/^ *\d+\n$/)(typed)
  expect(stdout.trim()).toBe(typed.comment)
}

/** Types a line into a shell, and after it a question about completion. */
async function completes(
  { line, world }: Typed,
  question: string,
  shell: readonly string[],
  offered: RegExp,
): Promise<void> {
  ended(await world.alone.types([line, question], { shell }), offered)
}

/** A line that writes the same file each time. */
const repeats =
  (file: string, content: RegExp): LineTable[string] =>
  async ({ line, world: { alone } }) => {
    const written = async () => (await alone.types([line, `cat ${file}`])).stdout
    const first = await written()
    expect(first).toMatch(content)
    expect(await written()).toBe(first)
  }

/** Lines that use servers, certificates and completion. */
export const labLines: LineTable = {
  'oauth-lab doctor https://id.example --client-id web --client-secret-file secret.txt --redirect-uri https://web.example/cb --user alice --password-stdin < password.txt':
    printsWith(
      '; echo "exit $?"',
      /^score \d+ %: \d+ passed, \d+ faults?, [1-9]\d* weakness[\s\S]*exit \d$/m,
    ),
  'oauth-lab doctor --config examples/fapi2/oauth-lab.yaml --client bank --client-key examples/fapi2/bank-key.json':
    prints(/ pass +no-proof-for-bound-client [\s\S]*^score \d+ %: \d+ passed, 0 faults, /m),
  'oauth-lab doctor http://localhost:8080 --client-id any --json | jq \'.findings[] | select(.result == "fault")\'':
    prints(/"result": "fault"[\s\S]*"rule"/),

  'oauth-lab serve --stage shared-secret': typed =>
    meanwhile(typed, async () =>
      expect(part(await tokenOf(typed.world.student, demo), 'header')).toMatchObject({ alg: 'HS256' }),
    ),
  'oauth-lab serve --stage shared-secret --explain': prints(/here +HS256[\s\S]*otherwise +RS256\n +why /),
  'oauth-lab serve --fail token:invalid_grant:once': typed =>
    meanwhile(typed, async () => {
      const refused = { outcome: 'refused', error: { error: 'invalid_grant' } }
      expect(await flow(typed.world.student, demo, 1)).toMatchObject(refused)
      expect(await flow(typed.world.student, demo)).toMatchObject({ outcome: 'granted' })
    }),
  'oauth-lab serve --profile reference': async typed => {
    const lab = await meanwhile(typed, async () => {
      const { stdout } = await typed.world.student.types(`oauth-lab flow ${demo}`)
      expect(stdout).toContain('exp, nbf, iat in milliseconds')
    })
    expect(lab.printed()).toMatch(/Profile reference: .* on this machine only/)
  },
  'oauth-lab serve --weak redirect-any': async typed => {
    const lab = await meanwhile(typed, async () => {
      const tampered = `${demo} --tamper unregistered-redirect-uri`
      expect(await flow(typed.world.student, tampered, 1)).toMatchObject({ expected: false })
    })
    expect(lab.printed()).toMatch(/^WEAK on purpose: accepts any redirect address$/m)
  },
  'oauth-lab keys rotate': async ({ line, world: { alone } }) => {
    const kid = async () => part(await tokenOf(alone, 'client-credentials --client demo'), 'header').kid
    const before = await kid()
    ended(await alone.types(line), /\S/)
    expect(await kid()).not.toBe(before)
  },
  'oauth-lab serve --seed 7 --now 2030-01-01T12:00:00Z': async typed => {
    const tokens: string[] = []
    const keep = async () => tokens.push(await tokenOf(typed.world.student, demo))
    const { port } = new URL((await meanwhile(typed, keep)).value('authorization server'))
    await meanwhile({ ...typed, line: typed.line.replace('--port 0', `--port ${port}`) }, keep)
    expect(tokens[1]).toBe(tokens[0])
    expect(part(tokens[0] ?? '', 'claims')).toMatchObject({ iat: Date.parse('2030-01-01T12:00:00Z') / 1000 })
  },

  'oauth-lab flow code --export har --show-secrets > run.har': prints(/^$/),
  'oauth-lab flow code --seed 7 --now 2030-01-01T12:00:00Z --json > transcript.jsonl': repeats(
    'transcript.jsonl',
    /"outcome":"granted"/,
  ),
  'oauth-lab flow code --seed 7 --now 2030-01-01T12:00:00Z --export har -o transcript.har': repeats(
    'transcript.har',
    /"startedDateTime": "2030-01-01T12:00:00.000Z"/,
  ),

  "TOKEN=$(oauth-lab flow code --client demo --json | jq -r 'select(.outcome).tokens.access_token')":
    async typed => {
      const { stdout } = await printsWith('; echo "$TOKEN"', /^\S+\n$/)(typed)
      expect(part(stdout, 'claims')).toMatchObject({ sub: 'alice' })
    },
  'oauth-lab flow mcp https://localhost:8444/mcp --call whoami': prints(
    /tools whoami, records, write_record[\s\S]*the tool answered\n(?:.*\n)*granted {2}alice/,
  ),
  'oauth-lab doctor --mcp https://localhost:8444/mcp': prints(
    / pass +mcp-audience [\s\S]* pass +registration-left [\s\S]*^score 100 %: \d+ passed, 0 faults, /m,
  ),
  'oauth-lab flow mcp https://localhost:8444/mcp --tamper no-resource': prints(
    /refused {2}no-resource as expected: 401 invalid_token/,
  ),
  'oauth-lab flow code --tamper private-document-address': prints(
    /refused {2}private-document-address as expected: an error page/,
  ),
  'oauth-lab flow mcp https://localhost:8444/mcp --register document --tamper redirected-document': prints(
    /refused {2}redirected-document as expected: an error page/,
  ),
  'curl --cacert "$(oauth-lab ca path)" -H "Authorization: Bearer $TOKEN" https://localhost:8444/resource':
    prints(/"sub": ?"alice"/),

  'kubectl create rolebinding demo-reads --clusterrole view --serviceaccount lab:demo -n lab':
    kubectl(/^rolebinding\S* created$/m),
  'kubectl auth can-i list pods -n lab --as system:serviceaccount:lab:demo': kubectl(/^yes$/m),
  'kubectl get pods -n lab --as system:serviceaccount:lab:demo': kubectl(/^NAME/m),
  'kubectl create clusterrolebinding reviewer --clusterrole system:auth-delegator --serviceaccount lab:demo':
    kubectl(/^clusterrolebinding\S* created$/m),

  'oauth-lab resource --issuer https://localhost:8443 --audience api --port 9444': typed =>
    typed.world.alone.starts(typed.line),
  'oauth-lab flow client-credentials --client demo --param token:resource=https://localhost:9444 --resource https://localhost:9444/resource':
    prints(/GET \/resource +200 .*accepted for demo/),
  'oauth-lab resource --issuer https://login.example --audience https://api.example':
    accepts('https://api.example'),
  'oauth-lab resource --issuer https://localhost:8443 --audience bank --mtls': async ({
    line,
    world: { alone },
  }) => {
    const resource = (await alone.starts(line)).value('resource server')
    const metadata = `${resource}/.well-known/oauth-protected-resource`
    const typed = await alone.types(`curl -s --cacert "$(oauth-lab ca path)" ${metadata}`)
    expect(JSON.parse(typed.stdout)).toMatchObject({ tls_client_certificate_bound_access_tokens: true })
  },
  'oauth-lab resource --issuer https://login.example --audience https://api.example --key public.pem':
    async typed => {
      ended(await typed.world.alone.types('oauth-lab keys export --pem > public.pem'), /^$/)
      await accepts('https://api.example')(typed)
    },

  'curl -s --cacert "$(oauth-lab ca path)" -H \'Accept-Encoding: gzip\' https://localhost:8443/kb/2 | wc -c':
    bytes,
  'curl -s --cacert "$(oauth-lab ca path)" -H \'Accept-Encoding: gzip\' https://localhost:8443/kb/200 | wc -c':
    bytes,

  'TOKEN=$(oauth-lab flow code --scope openid,email -o token)': printsWith('; echo "$TOKEN"', /^eyJ\S+\n$/),
  'oauth-lab introspect "$TOKEN"': prints(/^✓ active\n/),
  'oauth-lab userinfo "$TOKEN"': prints(/^ {2}email +alice@example\.com /m),
  'oauth-lab revoke "$TOKEN"': prints(/^✓ revoked\n/),
  'oauth-lab call /records': prints(/^\{"/),
  'oauth-lab call /records -d \'{"note":"bought milk"}\' --scope records:write -i': prints(
    /^HTTP\/1\.1 201 Created\r\n.*"note":"bought milk"/s,
  ),
  'oauth-lab token list': prints(
    /^[0-9a-f]{16}\n {2}server {4}https:\/\/localhost:\d+\n {2}client {4}demo for alice/,
  ),

  'oauth-lab jwk create -o client.jwk': prints(/^$/),
  'oauth-lab jwk public client.jwk >client-public.jwk': printsWith(
    '; jq -r .kty client-public.jwk',
    /^EC\n$/,
  ),
  'TOKEN=$(oauth-lab jwt sign \'{"sub":"alice"}\' --key client.jwk --audience api --expires-in 10m)':
    printsWith('; echo "$TOKEN"', /^[\w-]+\.[\w-]+\.[\w-]+\n$/),
  'oauth-lab jwt verify "$TOKEN" --jwks client-public.jwk --audience api': prints(/✓ accepted\n$/),

  'CLIENT=$(curl -s --cacert "$(oauth-lab ca path)" https://localhost:8443/register -H \'content-type: application/json\' -d \'{"redirect_uris":["https://client.example/cb"]}\')':
    printsWith('; jq -r .client_id <<< "$CLIENT"', /^[0-9a-f]{32}\n$/),
  'URL=$(jq -r .registration_client_uri <<< "$CLIENT")': printsWith(
    '; echo "$URL"',
    /\/register\/[0-9a-f]{32}\n$/,
  ),
  'AUTH="authorization: Bearer $(jq -r .registration_access_token <<< "$CLIENT")"': printsWith(
    '; echo "$AUTH"',
    /^authorization: Bearer [\w-]{43}\n$/,
  ),
  'curl -s --cacert "$(oauth-lab ca path)" -H "$AUTH" "$URL" | jq -c .redirect_uris': prints(
    /^\["https:\/\/client\.example\/cb"\]\n$/,
  ),
  'NEW=$(jq -c \'{client_id, redirect_uris, client_name: "New name"}\' <<< "$CLIENT")': printsWith(
    '; echo "$NEW"',
    /"client_name":"New name"/,
  ),
  'curl -s --cacert "$(oauth-lab ca path)" -X PUT -H "$AUTH" -H \'content-type: application/json\' -d "$NEW" "$URL" | jq -r .client_name':
    prints(/^New name\n$/),
  'curl -s --cacert "$(oauth-lab ca path)" -X DELETE -H "$AUTH" "$URL" -w \'%{http_code}\\n\'':
    prints(/^204\n$/),

  'curl --cacert "$(oauth-lab ca path)" https://localhost:8443/': prints(/^Hello/),
  'eval "$(oauth-lab ca env)"': async ({ line, world }) => {
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

  // A test must not change the store of this computer; test/programs/commands/ca/ca-trust.test.ts has a store of its own.
  'oauth-lab ca client shop -o certificates': prints(/^Certificate .*certificates\/shop\.pem\nPrivate key /),
  'oauth-lab ca client shop -o other --san-dns shop.example --days 30': prints(
    /^Certificate .*other\/shop\.pem\nPrivate key /,
  ),
  'oauth-lab ca client phone -o certificates --self-signed': prints(/^Subject +CN=phone$/m),
  'oauth-lab ca install --dry-run': prints(/^ {2}\S*certutil -A .*nssdb/m),
  'oauth-lab ca install': printsWith(' --dry-run', /^ {2}\S*certutil -A .*nssdb/m),
  'oauth-lab ca install --only nss': async typed => {
    await printsWith(' --yes', /^Installed in .*nssdb/)(typed)
    expect(existsSync(join(typed.world.alone.home, '.pki/nssdb/cert9.db'))).toBe(true)
  },
  'oauth-lab ca uninstall': printsWith(' --dry-run', /certutil -D .*oauth-lab CA/),

  'eval "$(oauth-lab completion bash)"': typed =>
    completes(
      typed,
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is of bash.
      'complete -p oauth-lab; COMP_WORDS=(oauth-lab fl); COMP_CWORD=1; _oauth_lab; echo "${COMPREPLY[*]}"',
      ['bash', '--norc', '-c'],
      /^complete -F _oauth_lab .*oauth-lab\nflow\n$/,
    ),
  'source <(oauth-lab completion zsh)': typed =>
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is of zsh.
    completes(typed, 'echo ${_comps[oauth-lab]}', ['zsh', '-f', '-c'], /^_oauth_lab\n$/),
  'oauth-lab completion fish | source': typed =>
    completes(typed, "complete -C 'oauth-lab fl'", ['fish', '--no-config', '-c'], /^flow\t/m),
  'oauth-lab completion powershell | Out-String | Invoke-Expression': async typed => {
    // No package of Debian has it.
    if (findProgram('pwsh') === undefined) return typed.skip('pwsh is not installed')
    const question =
      "(TabExpansion2 -inputScript 'oauth-lab fl' -cursorColumn 12).CompletionMatches.CompletionText"
    return completes(typed, question, ['pwsh', '-NoProfile', '-NonInteractive', '-Command'], /^flow/m)
  },
}
