import type { ServerResponse } from 'node:http'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { listen } from '../../client/support/tls-server.js'
import { runHere, type Said } from '../../support/in-process.js'
import { runProgram } from '../../support/program.js'
import { sharedLab } from '../../support/shared.js'

const lab = sharedLab()
let base = ''
/** The tokens that the API received. */
let tokens: string[] = []
let answer: (response: ServerResponse) => void

beforeAll(async () => {
  const { origin, close } = await listen((request, response) => {
    tokens.push(request.headers.authorization ?? '')
    answer(response)
  })
  base = origin
  return close
})
beforeEach(async () => {
  answer = response => response.end('ok')
  await oauthLab(['call', `${base}/`])
  tokens = []
})

const oauthLab = (args: readonly string[]): Promise<Said> => runHere(args, { env: lab.env })

/** Answers 401 with a challenge, as long as the token is the first one that came. */
function refuseFirst(challenge: string | undefined) {
  answer = response => {
    if (tokens.at(-1) !== tokens[0]) return response.end('yes')
    return response.writeHead(401, challenge === undefined ? {} : { 'www-authenticate': challenge }).end('no')
  }
}

describe('call, at an API that refuses the kept token', () => {
  it.each([['Bearer error="invalid_token"'], ['Bearer realm="api"'], ['Bearer'], [undefined]])(
    'gets another one once, told by %s',
    async challenge => {
      refuseFirst(challenge)
      const { code, stdout, stderr } = await oauthLab(['call', `${base}/`])
      expect({ code, stdout }).toEqual({ code: 0, stdout: 'yes' })
      expect(stderr).toContain('The API no longer takes the kept token.')
      expect(new Set(tokens).size).toBe(2)
    },
  )

  it.each([['Bearer error="insufficient_user_authentication"'], ['Bearer error="invalid_request"']])(
    'keeps it where another one would not help: %s',
    async challenge => {
      refuseFirst(challenge)
      const { code, stdout } = await oauthLab(['call', `${base}/`])
      expect({ code, stdout, requests: tokens.length }).toEqual({ code: 1, stdout: 'no', requests: 1 })
    },
  )

  it('asks no third time', async () => {
    answer = response => response.writeHead(401).end('no')
    const { code, stdout } = await oauthLab(['call', `${base}/`])
    expect({ code, stdout, requests: tokens.length }).toEqual({ code: 1, stdout: 'no', requests: 2 })
  })
})

describe('several calls at once', () => {
  it.each([[[]], [['--dpop']]])('get one token for all of them, with %j', async more => {
    await oauthLab(['token', 'forget', '--all'])
    const line = ['call', `${base}/`, ...more]
    const said = await Promise.all([1, 2, 3].map(() => runProgram(line, { env: lab.env })))
    expect(said.map(({ code, stdout }) => ({ code, stdout }))).toEqual(
      Array.from({ length: 3 }, () => ({ code: 0, stdout: 'ok' })),
    )
    const got = said.filter(({ stderr }) => stderr.includes('Got a token'))
    const used = said.filter(({ stderr }) => stderr.includes('Uses the kept token'))
    expect([got.length, used.length]).toEqual([1, 2])
    expect(new Set(tokens).size).toBe(1)
  })
})

it('uses no token for other parameters, such as an audience', async () => {
  await oauthLab(['token', 'forget', '--all'])
  const service = ['call', `${base}/`, '--client', 'demo-service']
  for (const more of [
    [],
    ['--param', 'token:audience=https://a.test'],
    ['--param', 'token:audience=https://b.test'],
  ]) {
    for (const from of ['Got a token', 'Uses the kept token']) {
      expect((await oauthLab([...service, ...more])).stderr).toContain(from)
    }
  }
  expect(new Set(tokens).size).toBe(3)
  const { stdout } = await oauthLab(['token', 'list'])
  expect(stdout).toContain('with      token:audience=https%3A%2F%2Fa.test')
})
