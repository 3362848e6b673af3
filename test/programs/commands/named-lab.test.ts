import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { whyNoEvents } from '../../../src/commands/flow/flow-offers.js'
import { ends } from '../../commands/support.js'
import { cleanEnv, jsonLines, runProgram } from '../../support/program.js'
import { sharedFolder, sharedLab } from '../../support/shared.js'

const home = sharedFolder()
const lab = sharedLab()
let env: Record<string, string>
beforeAll(() => {
  const ca = join(home.path, 'class.pem')
  cpSync(lab.ready.ca, ca)
  env = cleanEnv(home.path, { OAUTH_LAB_SERVER: lab.ready.urls.authorization, OAUTH_LAB_CACERT: ca })
})

describe('against a lab of another person, named by OAUTH_LAB_SERVER', () => {
  it.each(['code', 'resource'])('flow %s calls the resource server that the metadata name', async name => {
    const { code, stdout, stderr } = await runProgram(['flow', name, '--client', 'demo', '--json'], { env })
    expect(code, stderr).toBe(0)
    const step = jsonLines(stdout).find(each => each.name === 'resource_request')
    expect(step).toMatchObject({
      exchange: { request: { url: `${lab.ready.urls.resource}/resource` }, response: { status: 200 } },
    })
  })

  it.each([
    [['k8s', 'token', 'demo'], '--cluster https://localhost:8445 '],
    [['cf', 'zones'], '--api-url https://localhost:8446/client/v4 '],
  ])('%j proposes an address on the host of the lab', async (args, proposed) => {
    const here = await runProgram(args, { env })
    expect(here).toMatchObject({ code: 2, stderr: expect.stringContaining(proposed) })
    const named = { ...env, OAUTH_LAB_SERVER: 'https://192.0.2.7:8443' }
    expect(await runProgram(args, { env: named })).toMatchObject(
      ends(2, proposed.replace('localhost', '192.0.2.7')),
    )
  })
})

describe('the Server pane', () => {
  it('advises to stop a lab only when it is one of this user', () => {
    const urls = { authorization: 'https://192.0.2.7:8443' }
    const why = (elsewhere: boolean) =>
      whyNoEvents({ address: urls.authorization, lab: { urls, elsewhere } as never })
    expect(why(true)).toContain(urls.authorization)
    expect(why(true)).not.toMatch(/stop/i)
    expect(why(false)).toMatch(/Stop it/)
  })
})
