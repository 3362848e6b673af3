import { beforeAll, expect, it } from 'vitest'
import { programInHome } from './support.js'

const { here, home, written } = programInHome()

/** Lines with a mistake, each with a part of its answer: the nearest right word, or the next move. HERE is a folder of files. */
const WRONG: ReadonlyArray<readonly [line: string, answer: string]> = [
  ['serv', 'Did you mean serve?'],
  ['flwo code', 'Did you mean flow?'],
  ['flow cod', 'Did you mean code?'],
  ['flow client-credential', 'Did you mean client-credentials?'],
  ['keys rotte', 'Did you mean rotate?'],
  ['config shwo', 'Did you mean show?'],
  ['ca pth', 'Did you mean path?'],
  ['k8s whoam', 'Did you mean whoami?'],
  ['cf dns lst', 'Did you mean list?'],
  ['login', 'Did you mean oauth-lab flow code?'],
  ['logn', 'Did you mean oauth-lab flow code?'],
  ['start', 'Did you mean oauth-lab serve?'],
  ['decode x', 'Did you mean oauth-lab jwt decode?'],
  ['lessons', 'Did you mean oauth-lab learn list?'],
  ['exit-code', 'Did you mean oauth-lab help exit-codes?'],
  ['flow login', 'Did you mean oauth-lab flow code?'],
  ['flow authorization-code', 'Did you mean oauth-lab flow code?'],
  ['flow client_credentials', 'Did you mean client-credentials?'],
  ['learn strat', 'Did you mean start?'],
  ['tamper lsit', 'Did you mean list?'],
  ['attack rnu stolen-code', 'Did you mean run?'],
  ['token shwo', 'Did you mean show?'],
  ['saml decod', 'Did you mean decode?'],
  ['connect lsit', 'Did you mean list?'],
  ['tamper list --flow cod', 'Did you mean code?'],
  ['doctor --profile oath21', 'Did you mean oauth21?'],
  ['doctor --only discovry', 'Did you mean discovery?'],
  ['explain --export mermiad', 'Did you mean mermaid?'],
  ['k8s doctor --for asure', 'Did you mean azure?'],
  ['cf events --group-by acton', 'Did you mean action?'],
  ['jwk create --alg RS25', 'Did you mean RS256?'],
  ['learn word pcke', 'Did you mean PKCE?'],
  ['learn --course 45', 'Did you mean 45m?'],
  ['rules 6479', 'Did you mean 6749?'],
  ['flow device --client dmeo', 'Did you mean demo?'],
  ['flow logout --user alcie', 'Did you mean alice?'],
  ['flow code --auth client_secret_bsic', 'Did you mean client_secret_basic?'],
  ['token show none', 'oauth-lab call URL'],
  ['k8s token --bind pd/web-0', 'It looks like pod/web-0'],
  ['k8s review abc --kubeconfig none.yaml', 'oauth-lab k8s kubeconfig'],
  ['compress table --kb x', 'Write it as --kb 1,2,200'],
  ['serve --rate-limit 5', 'It looks like --rate-limit 5/10s'],
  ['flow code --issuer http://id.example --client-id x', 'Name its https address'],
  ['jwt verify a.b.c --secret-stdin', 'An opaque token can only be read by the server'],
  ['explain --redact', 'oauth-lab explain'],
  ['record', 'oauth-lab record -- node app.js'],
  ['learn test HERE/none', 'oauth-lab learn new DIR'],
  ['saml decode --cert HERE/none.pem x', 'there is no such file'],
  ['flow token-exchange --subject-token @HERE/none', 'there is no such file'],
  ['help stage', 'Did you mean stages?'],
  ['help flow cod', 'Did you mean code?'],
  ['help jtw', 'Did you mean jwt?'],
  ['completion bsh', 'Did you mean bash?'],
  ['connect kubectll', 'Did you mean kubectl?'],
  ['learn start stat', 'Did you mean 04-state?'],
  ['learn show pcke', 'Did you mean 05-pkce?'],
  ['learn start 99', 'oauth-lab learn list'],
  ['attack run stolen-cod', 'Did you mean stolen-code?'],
  ['flow code --cleint demo', 'Did you mean --client?'],
  ['flow code --scpoe=openid', 'Did you mean --scope?'],
  ['serve --prot 1', 'Did you mean --port?'],
  ['flow code --client dmeo', 'Did you mean demo?'],
  ['flow code --user alcie', 'Did you mean alice?'],
  ['user otp alcie', 'Did you mean alice?'],
  ['flow code --tamper reuse-cod', 'Did you mean reuse-code?'],
  ['flow code --response-mode qury', 'Did you mean query?'],
  ['serve --stage publishd', 'Did you mean published-keys?'],
  ['serve --profile fapi', 'Did you mean fapi2?'],
  ['serve --weak no-stat', 'Did you mean no-state?'],
  ['serve --fail tokn:invalid_grant', 'Did you mean token?'],
  ['serve --redirect-uri dmeo=https://x.example/cb', 'Did you mean demo?'],
  ['serve --redirect-uri http://evil.example/cb', 'It looks like --redirect-uri'],
  ['serve --port 99999', 'A port is 1 to 65535'],
  ['serve --fail token', 'It looks like --fail'],
  ['serve --now yesterday', 'Write it as 2030-01-01'],
  ['serve --seed x', 'It looks like --seed 7'],
  ['flow code --timeout abc', 'Write it as 90s'],
  ['flow code --issuer not-a-url', 'It looks like https://'],
  ['flow code --issuer https://id.example', '--client-id ID'],
  ['flow code --client demo --issuer https://id.example', 'oauth-lab flow code --help'],
  ['flow code --at nowhere', 'Lab file in use'],
  ['flow code --param noequals', 'Write NAME=VALUE'],
  ['flow code --resolve x', 'It looks like:  --resolve'],
  ['flow code --claims {bad', 'It looks like:  --claims'],
  ['flow code --authorization-details {bad', 'It looks like:  --authorization-details'],
  ['flow mcp not-a-url', 'It looks like https://'],
  ['call ftp://x', 'It looks like https://'],
  ['jwt verify abc', '--key FILE'],
  ['jwt decode abc', 'three parts'],
  ['rules rfc9999', 'oauth-lab rules'],
  ['compress proxy --mode defualt', 'Did you mean default?'],
  ['compress explain', 'oauth-lab compress explain --help'],
  ['cf events --since tomorrow', 'Write how long ago'],
  ['explain HERE/rnu.har', 'Did you mean HERE/run.har?'],
  ['explain HERE/run.har', 'is not a recording'],
  ['play HERE/rnu.har', 'Did you mean HERE/run.har?'],
  ['explain HERE', 'it is a folder'],
  ['jwt decode @HERE/none', 'there is no such file'],
  ['jwk convert HERE/none.pem', 'there is no such file'],
  ['saml decode @HERE/none.xml', 'there is no such file'],
  ['register HERE/none.json', 'there is no such file'],
  ['cf dns apply HERE/none.zone', 'there is no such file'],
  ['flow code --client-key HERE/none.pem', 'there is no such file'],
  ['flow code --cacert HERE/none.pem', 'there is no such file'],
  ['flow code -o HERE/none/run.json', 'there is no folder for it'],
  ['flow code --config HERE/none.yaml', 'oauth-lab config show'],
  ['config check HERE', 'it is a folder'],
  ['config check HERE/client.yaml', 'HERE/client.yaml:3:5: client_secert: …\n  Did you mean client_secret?'],
  ['config check HERE/top.yaml', 'HERE/top.yaml:1:1: client:\n  Did you mean clients?'],
  ['config check HERE/grant.yaml', 'Did you mean authorization_code?'],
  [
    'config check HERE/stage.yaml',
    'HERE/stage.yaml:1:1: stage: publishd-keys\n  Did you mean published-keys?',
  ],
  ['config check HERE/yaml.yaml', 'HERE/yaml.yaml:2:19: { client_id: web\n'],
  ['config check HERE/many.yaml', 'and 20 more'],
  [`flow code --client ${'x'.repeat(2000)}`, 'Known clients: demo'],
  [`explain ${'x'.repeat(5000)}.har`, 'there is no such file'],
  [`config check ${'HERE/'.padEnd(200, 'x')}.yaml`, 'there is no such file'],
]

beforeAll(() => {
  written('run.har', 'no recording')
  written('client.yaml', 'clients:\n  - client_id: web\n    client_secert: hush\n')
  written('top.yaml', 'client:\n  - client_id: web\n')
  written(
    'grant.yaml',
    'clients: [{ client_id: web, client_secret: hush, grant_types: [authorisation_code] }]\n',
  )
  written('stage.yaml', 'stage: publishd-keys\nprofile: fapi\n')
  written('yaml.yaml', 'clients: [\n  { client_id: web\n')
  written('many.yaml', Array.from({ length: 30 }, (_, i) => `wrong${i}: 1\n`).join(''))
})

/** Lines that name a server which nobody can reach: one line and the next move, exit 3. */
const UNREACHED: ReadonlyArray<readonly [line: string, answer: string]> = [
  ['flow code --issuer https://127.0.0.1:9 --client-id x', 'Is it running'],
  ['flow mcp https://127.0.0.1:9/mcp', 'Is it running'],
  ['doctor https://127.0.0.1:9 --client-id x', 'Is it running'],
  ['discover --issuer https://127.0.0.1:9', 'Is it running'],
  ['introspect abc --issuer https://127.0.0.1:9 --client-id x', 'Is it running'],
  ['compress get https://127.0.0.1:9/x', 'Is it running'],
  ['flow code --server https://127.0.0.1:9', 'Is it running'],
]

it('the table has 100 wrong inputs', () => expect(WRONG.length).toBeGreaterThanOrEqual(100))

const rows = [...WRONG.map(row => [...row, 2] as const), ...UNREACHED.map(row => [...row, 3] as const)]

it.each(rows.map(row => [row[0].slice(0, 80), ...row] as const))('%s', async (_, line, answer, exit) => {
  const at = (text: string) => text.replaceAll('HERE', home())
  const { code, stderr } = await here(...at(line).split(' '))
  const error = stderr.replace(/^(?!oauth-lab: ).*\n/gm, (note, from: number) => (from === 0 ? '' : note))
  expect(code, stderr).toBe(exit)
  expect(error).toMatch(/^oauth-lab: /)
  expect(error).toContain(at(answer))
  expect(error.trimEnd().length).toBeLessThanOrEqual(400)
  expect(error).not.toMatch(/\bE(NOENT|ISDIR|ACCES|NOTDIR|NAMETOOLONG|EXIST)\b|\n {4}at |hush/)
  expect(error.match(/cannot reach/g)?.length ?? 0).toBe(exit === 3 ? 1 : 0)
})
