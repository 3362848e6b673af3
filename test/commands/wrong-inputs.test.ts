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
  ['cf dns lst', 'Did you mean one of list'],
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

it('the table has 60 wrong inputs', () => expect(WRONG.length).toBeGreaterThanOrEqual(60))

it.each(WRONG)('%.80s', async (line, answer) => {
  const at = (text: string) => text.replaceAll('HERE', home())
  const { code, stderr } = await here(...at(line).split(' '))
  const error = stderr.replace(/^(?!oauth-lab: ).*\n/gm, (note, from: number) => (from === 0 ? '' : note))
  expect(code, stderr).toBe(2)
  expect(error).toMatch(/^oauth-lab: /)
  expect(error).toContain(at(answer))
  expect(error.trimEnd().length).toBeLessThanOrEqual(400)
  expect(error).not.toMatch(/\bE(NOENT|ISDIR|ACCES|NOTDIR|NAMETOOLONG|EXIST)\b|\n {4}at |hush/)
})
